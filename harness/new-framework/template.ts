/**
 * The templates of frameworks are code that works, is type-checked and linted where it lies: `templates/<kind>/editor/` and
 * `server/`. Here is what becomes of one in its two rooms, under a name.
 */
import { glob, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { FrameworkAbout } from '../../editors/base/framework.ts';
import { PROJECT_ROOT } from '../project.ts';

/** Each is a folder of templates. */
export const KINDS = ['relayed', 'own-server'] as const;
export type Kind = (typeof KINDS)[number];

export interface TemplateFile {
  /** From the project's folder on, with forward slashes. */
  path: string;
  text: string;
}

const TEMPLATES = 'harness/new-framework/templates';
/** Stands for the framework's name in every template. */
const PLACEHOLDER = 'my-framework';
/** The rooms that a template's folders go to. */
const ROOMS: Readonly<Record<string, string>> = { editor: 'editors', server: 'servers' };

/** The files of a framework, in the order of their paths. */
export async function filesOf(options: {
  kind: Kind;
  name: string;
  colour: FrameworkAbout['colour'];
}): Promise<TemplateFile[]> {
  const { kind, name, colour } = options;
  const folder = posix.join(TEMPLATES, kind);
  const placeOf = (path: string) => {
    const [half, ...rest] = posix.relative(folder, path).split('/');
    return posix.join(ROOMS[half!]!, name, ...rest);
  };
  const found = await Array.fromAsync(glob(`${folder}/{${Object.keys(ROOMS)}}/*`, { cwd: PROJECT_ROOT }));
  const paths = found.map((path) => path.replaceAll('\\', '/')).sort();
  return Promise.all(
    paths.map(async (from) => {
      const path = placeOf(from);
      const text = (await readFile(join(PROJECT_ROOT, from), 'utf8'))
        .replaceAll(/(?<=\bfrom ')\.[^']+/g, (specifier) => {
          const target = posix.join(posix.dirname(from), specifier);
          const moved = target.startsWith(`${folder}/`) ? placeOf(target) : target;
          const relative = posix.relative(posix.dirname(path), moved);
          return relative.startsWith('.') ? relative : `./${relative}`;
        })
        .replaceAll(PLACEHOLDER, name)
        .replace(/colour: \{[^}]*\}/, `colour: { light: '${colour.light}', dark: '${colour.dark}' }`);
      return { path, text: withSortedImports(text) };
    }),
  );
}

/** The linter's, which minds neither case nor leading zeros. */
const ORDER = new Intl.Collator('en', { numeric: true });

/** The linter wants imports from the farthest file to the nearest, and files are at other distances now. */
function withSortedImports(text: string): string {
  return text.replace(/(?:^import [^;]*;\n)+/m, (imports) =>
    imports
      .match(/^import [^;]*;\n/gm)!
      .map((statement) => ({ statement, from: /'([^']+)';\n$/.exec(statement)![1]! }))
      .sort((one, other) => distance(other.from) - distance(one.from) || ORDER.compare(one.from, other.from))
      .map(({ statement }) => statement)
      .join(''),
  );
}

/** How many folders up a file is; packages come before all files. */
function distance(specifier: string): number {
  return specifier.startsWith('.') ? specifier.split('../').length - 1 : Number.MAX_SAFE_INTEGER;
}

/**
 * The templates of frameworks are code that works, is type-checked and linted where it lies: `templates/<kind>/editor/` and
 * `server/`. Here is what becomes of one under a name, in its two rooms or in one folder outside the project.
 */
import { glob, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { FrameworkAbout } from '../../editors/base/framework.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { PUBLIC_MODULES, SHARED_PACKAGES } from '../public-modules.ts';

/** Each is a folder of templates. */
export const KINDS = ['relayed', 'own-server'] as const;
export type Kind = (typeof KINDS)[number];

export interface TemplateFile {
  /** From the project's folder on, or from that of a framework outside, with forward slashes. */
  path: string;
  text: string;
}

const TEMPLATES = 'frameworks/scaffold/templates';
/** Stands for the framework's name in every template. */
const PLACEHOLDER = 'my-framework';
/** The rooms that a template's folders go to. */
const ROOMS: Readonly<Record<string, string>> = { editor: 'editors', server: 'servers' };

interface TemplateOptions {
  kind: Kind;
  name: string;
  colour: FrameworkAbout['colour'];
}

/** Where files of a template go, and what they say of places. */
interface Layout {
  /** @param half `editor` or `server`; null: the file is left out */
  placeOf(half: string, file: string): string | null;
  /** The specifier by which a module of the project is imported; null: by its path. */
  specifierOf(module: string): string | null;
  /** The text, with other words for places. */
  adapt(text: string): string;
}

/** The files of a framework in its two rooms, in the order of their paths. */
export function filesOf(options: TemplateOptions): Promise<TemplateFile[]> {
  return filesIn(options, {
    placeOf: (half, file) => posix.join(ROOMS[half]!, options.name, file),
    specifierOf: () => null,
    adapt: (text) => text,
  });
}

/** Specifier by module of the project, for frameworks outside. */
const SPECIFIERS = new Map(Object.entries(PUBLIC_MODULES).map(([specifier, module]) => [module, specifier]));

/**
 * The files of a framework in a folder of its own, with what makes that folder a package and lets editors find types. Its
 * tests stay away: they are the project's, and `check` proves the same.
 */
export async function filesOutside(options: TemplateOptions): Promise<TemplateFile[]> {
  const files = await filesIn(options, {
    placeOf(half, file) {
      if (file.endsWith('.test.ts')) return null;
      return half === 'editor' || file === 'server.ts' ? file : `${half}-${file}`;
    },
    specifierOf: (module) => SPECIFIERS.get(module) ?? null,
    adapt: (text) =>
      text
        .replaceAll(/^\|.*\.test\.ts.*\n/gm, '')
        .replaceAll(`editors/${PLACEHOLDER} servers/${PLACEHOLDER}`, '.')
        .replaceAll(`check ${PLACEHOLDER}`, `check ./${PLACEHOLDER}`)
        .replaceAll('`docs/project/adding-a-framework.md`', "Scriptorium's `docs/your-library.md`")
        .replaceAll('in docs/project/', "in Scriptorium's docs/project/")
        .replaceAll('(see `editors/loro/`)', "(see Scriptorium's `editors/loro/`)"),
  });
  const manifest = { name: options.name, version: '0.0.0', private: true, type: 'module' };
  return [
    ...files,
    { path: 'package.json', text: `${JSON.stringify(manifest, null, 2)}\n` },
    { path: 'tsconfig.json', text: `${JSON.stringify(TYPES_OUTSIDE, null, 2)}\n` },
    { path: '.gitignore', text: '# It names folders of this machine.\ntsconfig.json\n' },
  ];
}

/**
 * Only for editors and `tsc`, as the project's own: nothing of it is needed to run, so it names no other file that must be
 * there.
 */
const TYPES_OUTSIDE = {
  compilerOptions: {
    target: 'ESNext',
    lib: ['ESNext', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    typeRoots: [join(PROJECT_ROOT, 'node_modules/@types')],
    types: ['node'],
    paths: {
      ...Object.fromEntries(Object.entries(PUBLIC_MODULES).map(([name, path]) => [name, [join(PROJECT_ROOT, path)]])),
      ...Object.fromEntries(SHARED_PACKAGES.flatMap(pathsOf)),
      ws: [join(PROJECT_ROOT, 'node_modules/@types/ws')],
    },
  },
  include: ['.'],
};

/** Where the types of a package and of its modules lie. */
function pathsOf(name: string): [string, string[]][] {
  const folder = join(PROJECT_ROOT, 'node_modules', name);
  return [
    [name, [folder]],
    [`${name}/*`, [join(folder, '*'), join(folder, 'dist/src/*')]],
  ];
}

async function filesIn({ kind, name, colour }: TemplateOptions, layout: Layout): Promise<TemplateFile[]> {
  const folder = posix.join(TEMPLATES, kind);
  const placeOf = (path: string) => {
    const [half, ...rest] = posix.relative(folder, path).split('/');
    return layout.placeOf(half!, rest.join('/'));
  };
  const paths = await Array.fromAsync(glob(`${folder}/{${Object.keys(ROOMS)}}/*`, { cwd: PROJECT_ROOT }));
  const placed = paths.sort().flatMap((from) => {
    const path = placeOf(from);
    return path === null ? [] : [{ from, path }];
  });
  return Promise.all(
    placed.map(async ({ from, path }) => {
      const text = layout
        .adapt(await readFile(join(PROJECT_ROOT, from), 'utf8'))
        .replaceAll(/(?<=\bfrom ')\.[^']+/g, (specifier) => {
          const target = posix.join(posix.dirname(from), specifier);
          const module = layout.specifierOf(target);
          if (module !== null) return module;
          const moved = target.startsWith(`${folder}/`) ? placeOf(target)! : target;
          const relative = posix.relative(posix.dirname(path), moved);
          return relative.startsWith('.') ? relative : `./${relative}`;
        })
        .replaceAll(PLACEHOLDER, name)
        .replace(/colour: \{[^}]*\}/, `colour: { light: '${colour.light}', dark: '${colour.dark}' }`);
      return { path, text };
    }),
  );
}

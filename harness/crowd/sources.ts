/** What a recording was made with: the project's own sources that take part, and the packages that they import. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { PROJECT_ROOT } from '../project.ts';

/** Imports of values; types do nothing while a crowd types. */
const VALUE_IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\b)(?:[\w\s{},*$]+\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/g;

interface Lock {
  packages: Record<string, { version?: string; dependencies?: Record<string, string> }>;
}

/** Digest of all that decides what a framework's users send; it changes with any of it. */
export async function sourcesOf(framework: string, root: string = PROJECT_ROOT): Promise<string> {
  const hash = createHash('sha256').update(process.version.split('.')[0]!);
  const entries = [
    `editors/${framework}/about.ts`,
    `editors/${framework}/client.ts`,
    `servers/${framework}/server.ts`,
    'harness/crowd/record-main.ts',
  ];
  const packages = new Set<string>();
  const files = await reachedFrom(entries, root, packages);
  for (const [file, text] of [...files].sort(byName)) hash.update(`${file}\n`).update(text);
  const lock: Lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  for (const [name, version] of [...versionsOf(packages, lock)].sort(byName)) hash.update(`${name}@${version}\n`);
  return hash.digest('hex');
}

async function reachedFrom(entries: string[], root: string, packages: Set<string>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const file of entries) {
    if (found.has(file)) continue;
    const text = await readFile(join(root, file), 'utf8');
    found.set(file, text);
    for (const [, named, loaded] of text.matchAll(VALUE_IMPORT)) {
      const specifier = (named ?? loaded)!;
      if (specifier.startsWith('.')) entries.push(posix.join(dirname(file), specifier));
      else if (!specifier.startsWith('node:')) packages.add(packageOf(specifier));
    }
  }
  return found;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The packages and all that they depend on. */
function versionsOf(names: Iterable<string>, { packages }: Lock): Map<string, string> {
  const versions = new Map<string, string>();
  const queue = [...names];
  for (const name of queue) {
    const { version = '', dependencies = {} } = packages[`node_modules/${name}`] ?? {};
    if (versions.has(name)) continue;
    versions.set(name, version);
    queue.push(...Object.keys(dependencies));
  }
  return versions;
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

/** Imports of a framework's sources: other sources of the project, and packages, as the lock file has them. */
import { readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

/** Types do nothing at run time. */
const TYPES_ONLY = /^(import|export)\s+type\b/;

interface LockedPackage {
  version?: string;
  dependencies?: Record<string, string>;
  /** Of the project itself alone, whose place is the empty text. */
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  /** True: not there on every kind of machine. */
  optional?: boolean;
}

export interface Lock {
  packages: Record<string, LockedPackage>;
}

export async function readLock(root: string): Promise<Lock> {
  return JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock;
}

/**
 * The sources that some of them reach by imports of values, with their texts, and the packages that these import.
 *
 * @param entries relative to the project's folder, as what is found is
 */
export async function reachedFrom(
  entries: readonly string[],
  root: string,
): Promise<{ files: Map<string, string>; packages: Set<string> }> {
  const files = new Map<string, string>();
  const packages = new Set<string>();
  const waiting = [...entries];
  for (const file of waiting) {
    if (files.has(file)) continue;
    const text = await readFile(join(root, file), 'utf8');
    files.set(file, text);
    for (const specifier of await valueImports(file, text)) {
      if (specifier.startsWith('.')) waiting.push(posix.join(dirname(file), specifier));
      else if (!specifier.startsWith('node:')) packages.add(packageOf(specifier));
    }
  }
  return { files, packages };
}

/** Imports by a literal name, types aside: statements, and calls such as `import('./one.ts')`. */
async function valueImports(file: string, text: string): Promise<string[]> {
  // Only now: it holds memory that would be measured as a user's or a server's.
  const { parseSync } = await import('rolldown/utils');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  const statements = [
    ...staticImports.map(({ start, moduleRequest }) => ({ start, specifier: moduleRequest.value })),
    ...staticExports.flatMap(({ start, entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [{ start, specifier: moduleRequest.value }] : [])),
    ),
  ].filter(({ start }) => !TYPES_ONLY.test(text.slice(start)));
  const called = dynamicImports
    .map(({ moduleRequest: { start, end } }) => /^(['"])(.*)\1$/.exec(text.slice(start, end))?.[2])
    .filter((specifier) => specifier !== undefined);
  return [...statements.map(({ specifier }) => specifier), ...called];
}

/** `@y/websocket-server` of `@y/websocket-server/utils`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/**
 * The packages and all that they depend on, with the versions that the project has of them; empty for one that it lacks.
 *
 * @param options.peers also what they want their surroundings to have
 */
export function closureOf(
  names: Iterable<string>,
  { packages }: Lock,
  { peers = false }: { peers?: boolean } = {},
): Map<string, string> {
  const versions = new Map<string, string>();
  const waiting = [...names];
  for (const name of waiting) {
    const { version = '', dependencies = {}, peerDependencies = {} } = packages[`node_modules/${name}`] ?? {};
    if (versions.has(name)) continue;
    versions.set(name, version);
    waiting.push(...Object.keys(dependencies), ...(peers ? Object.keys(peerDependencies) : []));
  }
  return versions;
}

/**
 * Packages, and those of the imported ones that must have the same copy of something: they depend on one of the packages, or
 * on something that one wants its surroundings to have.
 */
export function withUsers(names: readonly string[], imported: Iterable<string>, lock: Lock): Set<string> {
  const found = new Set(names);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    const closure = [...closureOf(found, lock, { peers: true }).keys()];
    const peers = closure.flatMap((name) => Object.keys(lock.packages[`node_modules/${name}`]?.peerDependencies ?? {}));
    const oneCopy = new Set([...names, ...peers]);
    for (const user of imported) {
      const needs = closureOf([user], lock, { peers: true }).keys();
      if (needs.some((name) => oneCopy.has(name))) found.add(user);
    }
  }
  return found;
}

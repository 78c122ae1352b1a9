/**
 * `NAME@VERSION`: a framework of the project with its package in another version. Its code is the same, in a tree of sources
 * beside the package and all that imports it, so that there is one copy of it.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { workFolderOf } from '../infra/project.ts';
import { UserError } from '../results/user-error.ts';
import type { Framework } from './framework.ts';
import { closureOf, reachedFrom, readLock } from './imports.ts';
import { isInstalled, type PackageSet, packageFolder } from './packages/ready-packages.ts';
import { packagesOfTree, sourceTreeOf } from './packages/source-tree.ts';

/** Trees by the names of their frameworks, as JSON: a process tells those that it starts. */
const VARIABLE = 'SCRIPTORIUM_TREES';
/** The commands that install packages on demand. */
export const BY_NAMING = 'run, check, max or plan installs it where it is named';

/** The name and the version of `NAME@VERSION`; null for every other text. */
export function versionIn(written: string): { base: string; version: string } | null {
  const { base, version } = /^(?<base>[^@./\s][^@/\s]*)@(?<version>[^@/\s]+)$/.exec(written)?.groups ?? {};
  return base === undefined || version === undefined ? null : { base, version };
}

/**
 * A framework with its package in a version that may have to be installed; if it is not, that is its `problem`.
 *
 * @param root the project's folder
 * @throws UserError (exit code 2) if the framework has no package of its own
 */
export async function inVersion(base: Framework, version: string, root: string): Promise<Framework> {
  const { about } = base;
  const name = `${base.name}@${version}`;
  if (about.package === null || about.hosted !== undefined) {
    throw new UserError(`there is no ${name}: ${base.name} has no package with a choice of versions`, {
      exitCode: 2,
    });
  }
  const tree = knownTree(name, root);
  const packages = tree === null ? await packagesInVersion(base, version, root) : await packagesOfTree(tree);
  const installed = await versionInstalled(packages, about.package);
  const problem = isInstalled(packages) ? null : `${about.package} ${version} is not installed; ${BY_NAMING}`;
  return { ...base, name, kind: 'version', version: installed ?? version, problem: base.problem ?? problem, packages };
}

/**
 * The framework with its modules beside the packages that it gets from the cache, where these are installed. Processes that are
 * started from now on find it there by its name.
 *
 * @param root the project's folder
 */
export async function besideItsPackages(framework: Framework, root: string): Promise<Framework> {
  const { name, packages, client, server } = framework;
  if (packages === null) return framework;
  const tree = knownTree(name, root) ?? (await sourceTreeOf(packages, root));
  process.env[VARIABLE] = JSON.stringify({ ...knownTrees(), [name]: tree });
  const inTree = (path: string) => join(tree, relative(root, path));
  return { ...framework, root: tree, client: inTree(client), server: inTree(server) };
}

/** Null if no process has said where it is, or another checkout of the project has. */
function knownTree(name: string, root: string): string | null {
  const tree = knownTrees()[name];
  return tree?.startsWith(join(workFolderOf(root), '/')) && existsSync(tree) ? tree : null;
}

function knownTrees(): Record<string, string> {
  return JSON.parse(process.env[VARIABLE] || '{}') as Record<string, string>;
}

/** The framework of the project whose code it is: `yjs` of `yjs@13.6.20`. */
export function baseOf(name: string): string {
  return versionIn(name)?.base ?? name;
}

/** The version of a package of the set; null if it is not installed. */
export async function versionInstalled(set: PackageSet, name: string): Promise<string | null> {
  const manifest = join(packageFolder(set), 'node_modules', name, 'package.json');
  return existsSync(manifest) ? (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version : null;
}

/**
 * The package in that version; of what the framework's code imports, all that uses the package too; and what those depend on,
 * in the versions that the project has of it. So two versions differ in nothing but themselves.
 */
async function packagesInVersion(
  { about, client, server }: Framework,
  version: string,
  root: string,
): Promise<PackageSet> {
  const name = about.package!;
  const onDemand = about.onDemand?.packages;
  if (onDemand !== undefined) return { packages: { ...onDemand, [name]: version }, shared: [name] };
  const lock = await readLock(root);
  const entries = [client, server].map((path) => relative(root, path).replaceAll('\\', '/'));
  const { packages: imported } = await reachedFrom(entries, root);
  const users = [...imported].filter((user) => closureOf([user], lock, { peers: true }).has(name));
  const versions = [...closureOf([name, ...users], lock, { peers: true })].filter(([, found]) => found !== '');
  const sorted = versions.sort(([one], [other]) => (one < other ? -1 : 1));
  return { packages: { ...Object.fromEntries(sorted), [name]: version }, shared: [name] };
}

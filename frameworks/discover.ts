/**
 * The frameworks that are here: found by their folders, with the version of the installed package. `NAME@VERSION` is one of
 * them with its package in another version. Its code is the same, in a tree of sources beside the package and all that
 * imports it, so that there is one copy of it.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrameworkAbout } from '../editors/base/framework.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { UserError } from '../results/user-error.ts';
import { AS_SERVED, byName, type Framework, type Frameworks, MISSING, noSuchFramework, usable } from './framework.ts';
import { closureOf, type Lock, reachedFrom, readLock, withUsers } from './imports.ts';
import { versionFor } from './packages/installed.ts';
import { lockOf, missingPlaces } from './packages/project-packages.ts';
import { formatPackages, isInstalled, type PackageSet, packageFolder } from './packages/ready-packages.ts';
import { packagesOfTree, sourceTreeOf } from './packages/source-tree.ts';
import { knownTree, knowTree, outsideFolders } from './places.ts';

/** The folder of editors/ that frameworks share; each of the others is one. */
const SHARED_FOLDER = 'base';

/** The commands that install packages on demand. */
const BY_NAMING = 'the first run, check, max or install that names it fetches them';
/** The problem of a framework whose packages the first command that names it installs. */
export const NOT_YET = `its packages are not installed; ${BY_NAMING}`;

/** Stands for the `about` of a folder that has none. */
const UNDESCRIBED: FrameworkAbout = {
  package: null,
  algorithm: 'not described',
  licence: 'not described',
  server: 'not described',
  tier: 'deployed',
  colour: { light: '#767676', dark: '#8c8c8c' },
};

/**
 * Finds every framework: each folder of `editors/` but `base/`. It must hold `about.ts` and `client.ts`, and there must be
 * `servers/<name>/server.ts`, unless its `about.ts` says that another hosts page and server; what is missing is its `problem`.
 *
 * Those that are made to calibrate the harness are left out.
 *
 * @param root the project's folder
 * @returns    in alphabetical order
 */
export async function discoverFrameworks(root: string = PROJECT_ROOT): Promise<Framework[]> {
  return (await discoverAll(root)).filter(({ about }) => !about.instrument);
}

/** As `discoverFrameworks`, with what is made to calibrate the harness. */
export async function discoverAll(root: string = PROJECT_ROOT): Promise<Framework[]> {
  const lock = await lockOf(root);
  return Promise.all((await projectNames(root)).map((name) => readFramework(root, name, lock)));
}

/** The names of all frameworks of the project: their folders'. */
export async function projectNames(root: string = PROJECT_ROOT): Promise<string[]> {
  const entries = await readdir(join(root, 'editors'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== SHARED_FOLDER);
  return folders.map(({ name }) => name).sort();
}

async function readFramework(root: string, name: string, lock: Lock): Promise<Framework> {
  const aboutPath = `editors/${name}/about.ts`;
  const [client, server] = [`editors/${name}/client.ts`, `servers/${name}/server.ts`];
  const isDescribed = existsSync(join(root, aboutPath));
  const { href } = pathToFileURL(join(root, aboutPath));
  const about = isDescribed
    ? ((await import(/* @vite-ignore */ href)) as { about: FrameworkAbout }).about
    : UNDESCRIBED;
  const packages = about.onDemand === undefined ? null : { packages: about.onDemand.packages };
  const places = { root, client: join(root, client), server: join(root, server), packages };
  const all = { name, kind: 'project', about, ...places } as const;
  if (about.hosted !== undefined) return { ...all, version: AS_SERVED, problem: null };
  const absent = [aboutPath, client, server].find((path) => !existsSync(join(root, path)));
  if (absent !== undefined) return { ...all, version: MISSING, problem: `there is no ${absent}` };
  if (packages !== null) return { ...all, ...(await stateOnDemand(about, packages)) };
  const installed = versionFor(join(root, 'package.json'), about.package);
  const version = installed ?? lock.packages[`node_modules/${about.package}`]?.version ?? MISSING;
  if (version === MISSING) {
    return { ...all, version, problem: `its package "${about.package}" is not installed; run npm ci` };
  }
  const isWhole = missingPlaces(packagesOfProject(about), lock, root).every(
    (place) => lock.packages[place] === undefined,
  );
  return { ...all, version, problem: isWhole ? null : NOT_YET };
}

/** The packages of this project, by their names, that a framework takes beside those of every run. */
export function packagesOfProject({ package: own, besides = [], onDemand }: FrameworkAbout): string[] {
  return [...(own === null || onDemand !== undefined ? [] : [own]), ...besides];
}

async function stateOnDemand(
  { package: name }: FrameworkAbout,
  set: PackageSet,
): Promise<Pick<Framework, 'version' | 'problem'>> {
  const problem = isInstalled(set) ? null : `it takes ${formatPackages(set)}, which are not installed; ${BY_NAMING}`;
  const installed = name === null ? null : await versionInstalled(set, name);
  return { version: installed ?? set.packages[name ?? ''] ?? MISSING, problem };
}

/**
 * A framework by its name, ready to be loaded, for a process that is told that name. It is one of the project's, one of those in
 * another version of its package (`yjs@13.6.20`), or one from outside that is known to this process.
 *
 * @throws UserError (exit code 2) if there is no framework of that name, (exit code 3) if it is not installed
 */
export async function findFramework(name: string, root: string = PROJECT_ROOT): Promise<Framework> {
  return usable(await lookUp(name, root));
}

/** Several of them, by their names. @throws UserError as `findFramework` does */
export async function findFrameworks(names: readonly string[], root: string = PROJECT_ROOT): Promise<Frameworks> {
  return byName(await Promise.all(names.map((name) => findFramework(name, root))));
}

/** As `findFramework`, also if the framework cannot be used: then its `problem` says why. */
export async function lookUp(name: string, root: string = PROJECT_ROOT): Promise<Framework> {
  const outside = outsideFolders()[name];
  // The server's process, which is measured, seldom has one from outside, and then no schemas either.
  if (outside !== undefined) return (await import('./outside.ts')).readOutside(name, outside);
  const base = baseOf(name);
  if (!(await projectNames(root)).includes(base)) {
    const names = (await discoverFrameworks(root)).map((framework) => framework.name);
    throw new UserError(noSuchFramework(name, names));
  }
  const usual = await readFramework(root, base, await lockOf(root));
  const found = name === base ? usual : await inVersion(usual, versionIn(name)!.version, root);
  return found.problem === null ? besideItsPackages(found, root) : found;
}

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
async function inVersion(base: Framework, version: string, root: string): Promise<Framework> {
  const { about } = base;
  const name = `${base.name}@${version}`;
  if (about.package === null || about.hosted !== undefined) {
    throw new UserError(`there is no ${name}: ${base.name} has no package with a choice of versions`);
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
async function besideItsPackages(framework: Framework, root: string): Promise<Framework> {
  const { name, packages, client, server } = framework;
  if (packages === null) return framework;
  const tree = knownTree(name, root) ?? (await sourceTreeOf(packages, root));
  knowTree(name, tree);
  const inTree = (path: string) => join(tree, relative(root, path));
  return { ...framework, root: tree, client: inTree(client), server: inTree(server) };
}

/** The framework of the project whose code it is: `yjs` of `yjs@13.6.20`. */
export function baseOf(name: string): string {
  return versionIn(name)?.base ?? name;
}

/** The version of a package of the set; null if it is not installed. */
async function versionInstalled(set: PackageSet, name: string): Promise<string | null> {
  const manifest = join(packageFolder(set), 'node_modules', name, 'package.json');
  return existsSync(manifest) ? (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version : null;
}

/**
 * The package in that version, and those that are published with it; of what the framework's code imports, all that must have the
 * same copy of one of these; and what those depend on, in the versions that the project has of it. So two versions differ in
 * nothing but themselves.
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
  // The project's own versions go together, even if they differ.
  const isUsual = lock.packages[`node_modules/${name}`]?.version === version;
  const inStep = [name, ...(isUsual ? [] : (about.releasedTogether ?? []))];
  const entries = [client, server].map((path) => relative(root, path).replaceAll('\\', '/'));
  const { packages: imported } = await reachedFrom(entries, root);
  const versions = [...closureOf(withUsers(inStep, imported, lock), lock, { peers: true })];
  const sorted = versions.filter(([, found]) => found !== '').sort(([one], [other]) => (one < other ? -1 : 1));
  // Not each release has each of them: then the newest before it.
  const upToIt = `${version.split('.')[0]}.0.0-0 - ${version}`;
  const chosen = Object.fromEntries(inStep.map((each) => [each, each === name ? version : upToIt]));
  return { packages: { ...Object.fromEntries(sorted), ...chosen }, shared: inStep };
}

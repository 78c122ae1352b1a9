/** The frameworks that are here: found by their folders, with the version of the installed package. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrameworkAbout } from '../editors/base/framework.ts';
import { PROJECT_ROOT } from '../infra/project.ts';
import { UserError } from '../results/user-error.ts';
import { AS_SERVED, type Framework, type Frameworks, MISSING } from './framework.ts';
import { outsideFolders, readOutside } from './outside.ts';
import { formatPackages, isInstalled, type PackageSet } from './packages/ready-packages.ts';
import { BY_NAMING, besideItsPackages, inVersion, versionIn, versionInstalled } from './versions.ts';

/** The folder of editors/ that frameworks share; each of the others is one. */
const SHARED_FOLDER = 'base';

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
  return Promise.all((await projectNames(root)).map((name) => readFramework(root, name)));
}

/** The names of all frameworks of the project: their folders'. */
export async function projectNames(root: string = PROJECT_ROOT): Promise<string[]> {
  const entries = await readdir(join(root, 'editors'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== SHARED_FOLDER);
  return folders.map(({ name }) => name).sort();
}

async function readFramework(root: string, name: string): Promise<Framework> {
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
  const version = await installedVersion(root, about.package);
  const problem = version === null ? `its package "${about.package}" is not installed; run npm ci` : null;
  return { ...all, version: version ?? MISSING, problem };
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
 * A framework by its name, ready to be loaded. It is one of the project's, one of those in another version of its package
 * (`yjs@13.6.20`), or one from outside that is known to this process.
 *
 * @throws UserError (exit code 2) if there is no framework of that name, (exit code 3) if it is not installed
 */
export async function findFramework(name: string, root: string = PROJECT_ROOT): Promise<Framework> {
  const found = await lookUp(name, root);
  if (found.problem === null) return besideItsPackages(found, root);
  throw new UserError(`${name} cannot be used: ${found.problem}`, { exitCode: 3 });
}

/** All frameworks of an experiment. @throws UserError as `findFramework` does */
export async function findFrameworks(names: readonly string[], root: string = PROJECT_ROOT): Promise<Frameworks> {
  const found = await Promise.all(names.map((name) => findFramework(name, root)));
  return new Map(found.map((framework) => [framework.name, framework]));
}

/** As `findFramework`, also if the framework cannot be used: then its `problem` says why. */
export async function lookUp(name: string, root: string = PROJECT_ROOT): Promise<Framework> {
  const outside = outsideFolders()[name];
  if (outside !== undefined) return readOutside(name, outside);
  const folders = await projectNames(root);
  if (folders.includes(name)) return readFramework(root, name);
  const { base = '', version = '' } = versionIn(name) ?? {};
  if (folders.includes(base)) return inVersion(await readFramework(root, base), version, root);
  const names = (await discoverFrameworks(root)).map((framework) => framework.name);
  throw new UserError(`no framework is named "${name}"; there are: ${names.join(', ')}`, { exitCode: 2 });
}

/** The version of an installed package, null if it is not; of the project itself if the framework has none. */
async function installedVersion(root: string, packageName: string | null): Promise<string | null> {
  const own = join(root, 'package.json');
  const manifest = packageName === null ? own : packageManifest(packageName, own);
  return manifest === null ? null : (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version;
}

function packageManifest(packageName: string, from: string): string | null {
  try {
    return findPackageJSON(packageName, pathToFileURL(from)) ?? null;
  } catch {
    return null;
  }
}

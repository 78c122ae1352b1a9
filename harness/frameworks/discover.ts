/** The frameworks that are here: found by their folders, with the version of the installed package. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrameworkAbout } from '../../editors/base/framework.ts';
import { UserError } from '../../results/user-error.ts';
import { PROJECT_ROOT } from '../project.ts';

/** In the place of a version where Google, or who else it is, changes it without telling. */
const AS_SERVED = 'as served';

/** A framework that experiments can name. */
export interface FrameworkInfo {
  name: string;
  /** Of the installed package; `missing` where it is not installed, `as served` where another's service is used. */
  version: string;
  about: FrameworkAbout;
  /** Why nothing can be run with it, and what to do; null where all is well. */
  problem: string | null;
}

/**
 * Finds every framework whose both halves are here: `editors/<name>/about.ts` and `client.ts`, and
 * `servers/<name>/server.ts`. A folder without all three (such as `editors/base`) is none, unless its `about.ts` says
 * that another hosts page and server.
 *
 * @param root the project's folder
 * @returns    in alphabetical order
 */
export async function discoverFrameworks(root: string = PROJECT_ROOT): Promise<FrameworkInfo[]> {
  const folders = await readdir(join(root, 'editors'), { withFileTypes: true });
  const names = folders
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((name) => existsSync(aboutFile(root, name)))
    .sort();
  const frameworks = await Promise.all(
    names.map(async (name) => {
      const { href } = pathToFileURL(aboutFile(root, name));
      const { about } = (await import(/* @vite-ignore */ href)) as { about: FrameworkAbout };
      if (about.hosted !== undefined) return { name, version: AS_SERVED, about, problem: null };
      if (!halvesOf(root, name).every((path) => existsSync(path))) return null;
      const version = await installedVersion(root, about.package);
      const problem = version === null ? `its package "${about.package}" is not installed; run npm ci` : null;
      return { name, version: version ?? 'missing', about, problem };
    }),
  );
  return frameworks.filter((framework) => framework !== null);
}

/**
 * The version of the framework that this process runs; of one that is hosted elsewhere, only the day is known.
 *
 * @throws UserError (exit code 2) where there is no framework of that name, (exit code 3) where it is not installed
 */
export async function frameworkVersion(name: string): Promise<string> {
  const { version, about } = await findFramework(name);
  return about.hosted === undefined
    ? version
    : `${version} on ${new Date().toISOString().slice(0, '2026-11-20'.length)}`;
}

/** @throws UserError as `frameworkVersion` does */
export async function findFramework(name: string): Promise<FrameworkInfo> {
  const frameworks = await discoverFrameworks();
  const found = frameworks.find((framework) => framework.name === name);
  if (found !== undefined && found.problem !== null) {
    throw new UserError(`${name} cannot be used: ${found.problem}`, { exitCode: 3 });
  }
  if (found !== undefined) return found;
  const names = frameworks.map((framework) => framework.name).join(', ');
  throw new UserError(`no framework is named "${name}"; there are: ${names}`, { exitCode: 2 });
}

function aboutFile(root: string, name: string): string {
  return join(root, 'editors', name, 'about.ts');
}

function halvesOf(root: string, name: string): string[] {
  return [join(root, 'editors', name, 'client.ts'), join(root, 'servers', name, 'server.ts')];
}

/** The version of an installed package, null where it is not; of the project itself where the framework has none. */
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

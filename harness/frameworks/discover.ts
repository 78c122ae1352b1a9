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
const MISSING = 'missing';

/** A framework that experiments can name. */
export interface FrameworkInfo {
  name: string;
  /** Of the installed package; `missing` where it, or a half of the framework, is not there, `as served` where another's service is used. */
  version: string;
  about: FrameworkAbout;
  /** Why nothing can be run with it, and what to do; null where all is well. */
  problem: string | null;
}

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
 * @param root the project's folder
 * @returns    in alphabetical order
 */
export async function discoverFrameworks(root: string = PROJECT_ROOT): Promise<FrameworkInfo[]> {
  const entries = await readdir(join(root, 'editors'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== SHARED_FOLDER);
  const names = folders.map(({ name }) => name).sort();
  return Promise.all(names.map((name) => readFramework(root, name)));
}

async function readFramework(root: string, name: string): Promise<FrameworkInfo> {
  const incomplete = (about: FrameworkAbout, path: string) => ({
    name,
    version: MISSING,
    about,
    problem: `there is no ${path}`,
  });
  const aboutPath = `editors/${name}/about.ts`;
  if (!existsSync(join(root, aboutPath))) return incomplete(UNDESCRIBED, aboutPath);
  const { href } = pathToFileURL(join(root, aboutPath));
  const { about } = (await import(/* @vite-ignore */ href)) as { about: FrameworkAbout };
  if (about.hosted !== undefined) return { name, version: AS_SERVED, about, problem: null };
  const halves = [`editors/${name}/client.ts`, `servers/${name}/server.ts`];
  const absent = halves.find((path) => !existsSync(join(root, path)));
  if (absent !== undefined) return incomplete(about, absent);
  const version = await installedVersion(root, about.package);
  const problem = version === null ? `its package "${about.package}" is not installed; run npm ci` : null;
  return { name, version: version ?? MISSING, about, problem };
}

/**
 * The version of the framework that this process runs; of one that is hosted elsewhere, only the day is known.
 *
 * @throws UserError (exit code 2) where there is no framework of that name, (exit code 3) where it is not installed
 */
export async function frameworkVersion(name: string, root: string = PROJECT_ROOT): Promise<string> {
  const { version, about } = await findFramework(name, root);
  return about.hosted === undefined
    ? version
    : `${version} on ${new Date().toISOString().slice(0, '2026-11-20'.length)}`;
}

/** @throws UserError as `frameworkVersion` does */
export async function findFramework(name: string, root: string = PROJECT_ROOT): Promise<FrameworkInfo> {
  const frameworks = await discoverFrameworks(root);
  const found = frameworks.find((framework) => framework.name === name);
  if (found !== undefined && found.problem !== null) {
    throw new UserError(`${name} cannot be used: ${found.problem}`, { exitCode: 3 });
  }
  if (found !== undefined) return found;
  const names = frameworks.map((framework) => framework.name).join(', ');
  throw new UserError(`no framework is named "${name}"; there are: ${names}`, { exitCode: 2 });
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

/** The cache of packages that are installed on demand: each set in a folder of its own, which is whole or not there. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isAlive } from '../../results/run-folder/is-alive.ts';
import { messageOf, UserError } from '../../results/user-error.ts';
import { npmInstall } from './npm.ts';
import { isInstalled, type PackageSet, packageFolder } from './package-set.ts';

const EXACT_VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const PARTIAL = /\.(\d+)\.partial$/;

export interface ReadyOptions {
  /** Gets a line before something is fetched. */
  say?: (text: string) => void;
}

/**
 * Installs the set, unless it is there.
 *
 * @returns the folder whose `node_modules/` holds the packages
 * @throws UserError (exit code 2) if a version is none, or the registry does not have it; (3) if it cannot be
 *         installed, or the person interrupted it
 */
export async function readyPackages(set: PackageSet, options: ReadyOptions = {}): Promise<string> {
  refuseInexact(set);
  const folder = packageFolder(set);
  if (!isInstalled(set)) await install(set, folder, options);
  return folder;
}

function refuseInexact({ packages }: PackageSet): void {
  for (const [name, version] of Object.entries(packages)) {
    if (EXACT_VERSION.test(version)) continue;
    throw new UserError(
      `${JSON.stringify(version)} is no version of ${name}: write an exact one, such as ${name}@1.2.3`,
      { exitCode: 2 },
    );
  }
}

async function install(set: PackageSet, folder: string, { say }: ReadyOptions): Promise<void> {
  const interrupted = new AbortController();
  const { signal } = interrupted;
  const stop = () => {
    const message = `interrupted while ${firstOf(set)} was being installed; nothing of it is left`;
    interrupted.abort(new UserError(message, { exitCode: 3 }));
  };
  for (const each of ENDING_SIGNALS) process.on(each, stop);
  const partial = `${folder}.${process.pid}.partial`;
  say?.(`Installing ${firstOf(set)} into ${dirname(folder)}; that is done once`);
  try {
    await removeLeftPartials(dirname(folder));
    await mkdir(partial, { recursive: true });
    await npmInstall(partial, set, signal);
    await rename(partial, folder).catch((error) => {
      // Another process was quicker, and installed the same.
      if (!existsSync(folder)) throw error;
    });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof UserError) throw cause;
    throw new UserError(
      `packages cannot be installed into ${dirname(folder)} (${messageOf(cause)}); make it writable and make room there, or name another directory in SCRIPTORIUM_CACHE`,
      { exitCode: 3, cause },
    );
  } finally {
    await rm(partial, { recursive: true, force: true });
    for (const each of ENDING_SIGNALS) process.off(each, stop);
  }
}

/** A process that was killed could not remove its own. */
async function removeLeftPartials(cache: string): Promise<void> {
  const names = await readdir(cache).catch(() => []);
  for (const name of names) {
    const owner = PARTIAL.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) await rm(join(cache, name), { recursive: true, force: true });
  }
}

function firstOf({ packages, shared = [] }: PackageSet): string {
  const names = Object.keys(packages);
  const [first] = [...shared, ...names];
  const others = names.length === 1 ? '' : ' with what belongs to it';
  return `${first} ${packages[first!]}${others}`;
}

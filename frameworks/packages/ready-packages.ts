/** The cache of packages that are installed on demand: each set in a folder of its own, which is whole or not there. */
import { dirname } from 'node:path';
import { madeOnce } from '../../infra/process/made-once.ts';
import { messageOf, UserError } from '../../results/user-error.ts';
import { npmInstall } from './npm.ts';
import { isInstalled, type PackageSet, packageFolder } from './package-set.ts';

const EXACT_VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
  say?.(`Installing ${firstOf(set)} into ${dirname(folder)}; that is done once`);
  try {
    await madeOnce(folder, (partial) => npmInstall(partial, set, signal));
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof UserError) throw cause;
    throw new UserError(
      `packages cannot be installed into ${dirname(folder)} (${messageOf(cause)}); make it writable and make room there, or name another directory in SCRIPTORIUM_CACHE`,
      { exitCode: 3, cause },
    );
  } finally {
    for (const each of ENDING_SIGNALS) process.off(each, stop);
  }
}

function firstOf({ packages, shared = [] }: PackageSet): string {
  const names = Object.keys(packages);
  const [first] = [...shared, ...names];
  const others = names.length === 1 ? '' : ' with what belongs to it';
  return `${first} ${packages[first!]}${others}`;
}

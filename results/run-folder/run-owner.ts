/**
 * One run at a time writes into a folder. Its lock is an empty file that names its process, `.owner-<process>-<host>`.
 * Each process makes its own file, then looks for others: so no two can remove each other's.
 */
import { open, readdir, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { diskProblem, fileReason } from '../file-problem.ts';
import { makeFolder } from '../formats/write-file.ts';
import { Unavailable, UserError } from '../user-error.ts';
import { isOfThisBoot, lastingProcessName, PROCESS_NAME, type Standing, standingOf } from './process-name.ts';

const ANY_OWNER_FILE = /^\.owner-(?<pid>\d+)-/;
const OWNER_FILE = new RegExp(`^\\.owner-${PROCESS_NAME}-(?<host>.+)$`);
/** An owner touches its file so often. */
const SIGN_MS = 3_600_000;
/** Signs may be late, on a machine that sleeps at night. */
const SILENT_MS = 24 * SIGN_MS;

/** True if a file of a run's folder only names the process that writes there. */
export function isOwnerFile(name: string): boolean {
  return ANY_OWNER_FILE.test(name);
}

/**
 * Makes this process the owner of a run's folder, until it is released. The folder is made, with those above it, and they
 * are removed again if nothing was written into them. Lock files of processes that are gone are removed.
 *
 * @throws UserError (2) if another run owns it, or there can be no such folder
 */
export async function ownRunFolder(directory: string): Promise<AsyncDisposable> {
  const ownerFile = `.owner-${lastingProcessName()}-${encodeURIComponent(hostname())}`;
  const path = join(directory, ownerFile);
  let made: string[] = [];
  try {
    made = makeFolder(directory);
    await (await open(path, 'wx')).close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'EEXIST' ? taken(directory, ownerFile, 'alive') : unusable(directory, error as Error);
  }
  const signs = setInterval(() => utimes(path, new Date(), new Date()).catch(() => {}), SIGN_MS).unref();
  const release = async () => {
    clearInterval(signs);
    await rm(path, { force: true });
    // One that is not empty stops it.
    for (const folder of new Set([directory, ...made])) if (!(await isRemoved(folder))) break;
  };
  try {
    for (const name of await readdir(directory)) {
      if (name === ownerFile || !isOwnerFile(name)) continue;
      const standing = await standingOfOwner(directory, name);
      if (standing !== 'gone') throw taken(directory, name, standing);
      await rm(join(directory, name), { force: true });
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { [Symbol.asyncDispose]: release };
}

function isRemoved(folder: string): Promise<boolean> {
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}

/** That a container of this machine was started anew, and its processes are gone, shows by their silence. */
async function standingOfOwner(directory: string, name: string): Promise<Standing> {
  const found = OWNER_FILE.exec(name)?.groups;
  const standing = found === undefined ? 'unknown' : standingOf(found);
  if (standing !== 'unknown' || !isOfThisBoot(found ?? {})) return standing;
  const signMs = await stat(join(directory, name)).then(({ mtimeMs }) => mtimeMs, Date.now);
  return Date.now() - signMs > SILENT_MS ? 'gone' : 'unknown';
}

function taken(directory: string, ownerFile: string, standing: Standing): UserError {
  const { pid } = ANY_OWNER_FILE.exec(ownerFile)!.groups!;
  const host = OWNER_FILE.exec(ownerFile)?.groups?.host;
  const where = standing === 'alive' || host === undefined ? '' : ` of ${decodeURIComponent(host)}`;
  const otherwise =
    standing === 'alive'
      ? ''
      : `; if that process has ended, which cannot be seen from here, remove ${join(directory, ownerFile)}`;
  return new UserError(
    `another run writes into ${directory} (process ${pid}${where}): wait until it has ended, or give another folder with --out${otherwise}`,
  );
}

/** A UserError that says why a folder cannot be a run's: (3) if somebody can mend the disk, else (2) */
export function unusable(directory: string, cause: NodeJS.ErrnoException): UserError {
  const disk = diskProblem(cause, directory);
  if (disk !== null) return new Unavailable(disk, { cause });
  const why = fileReason(cause) ?? cause.code ?? cause.message;
  return new UserError(`${directory} cannot take a run's results: ${why}; give another folder with --out`, { cause });
}

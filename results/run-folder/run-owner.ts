/**
 * One run at a time writes into a folder. Its lock is an empty file named `.owner-<pid>-<host>`. Each process makes its own
 * file, then looks for others: so no two can remove each other's.
 */
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { UserError } from '../user-error.ts';

const OWNER_FILE = /^\.owner-(?<pid>\d+)-(?<host>.+)$/;

/** True if a file of a run's folder only names the process that writes there. */
export function isOwnerFile(name: string): boolean {
  return OWNER_FILE.test(name);
}

/**
 * Makes this process the owner of a run's folder, until it is released. The folder is made, and removed again if nothing
 * was written into it. Lock files of dead processes of this machine are removed.
 *
 * @throws UserError (2) if another run owns it, or there can be no such folder
 */
export async function ownRunFolder(directory: string): Promise<AsyncDisposable> {
  const host = encodeURIComponent(hostname());
  const ownerFile = `.owner-${process.pid}-${host}`;
  await makeFolder(directory)
    .then(() => open(join(directory, ownerFile), 'wx'))
    .then((file) => file.close())
    .catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? taken(directory, process.pid, null) : unusable(directory, error);
    });
  const release = async () => {
    await rm(join(directory, ownerFile), { force: true });
    await rmdir(directory).catch(() => {});
  };
  try {
    for (const name of await readdir(directory)) {
      const found = name === ownerFile ? undefined : OWNER_FILE.exec(name)?.groups;
      if (found === undefined) continue;
      const isHere = found.host === host;
      if (!isHere || isAlive(Number(found.pid))) {
        throw taken(directory, Number(found.pid), isHere ? null : { host: decodeURIComponent(found.host!), name });
      }
      await rm(join(directory, name), { force: true });
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { [Symbol.asyncDispose]: release };
}

/** Node's own recursion never ends if the system denies a parent that exists, as below /proc. */
async function makeFolder(directory: string): Promise<void> {
  try {
    await mkdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = dirname(directory);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    await makeFolder(parent);
    await makeFolder(directory);
  }
}

function taken(directory: string, pid: number, elsewhere: { host: string; name: string } | null): UserError {
  const who = `process ${pid}${elsewhere === null ? '' : ` of ${elsewhere.host}`}`;
  const otherwise =
    elsewhere === null
      ? ''
      : `; if that process has ended, which cannot be seen from here, remove ${join(directory, elsewhere.name)}`;
  return new UserError(
    `another run writes into ${directory} (${who}): wait until it has ended, or give another folder with --out${otherwise}`,
    { exitCode: 2 },
  );
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this account may not write there',
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'it is a file, or lies below one',
  EROFS: 'its file system is read-only',
};

/** A UserError (2) that says why a folder cannot be a run's */
export function unusable(directory: string, cause: NodeJS.ErrnoException): UserError {
  const why = REASONS[cause.code ?? ''] ?? cause.code ?? cause.message;
  return new UserError(`${directory} cannot take a run's results: ${why}; give another folder with --out`, {
    exitCode: 2,
    cause,
  });
}

/** True if a process of this machine runs, also if another user owns it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It lives, but belongs to someone else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

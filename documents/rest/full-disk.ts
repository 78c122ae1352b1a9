/** Says in one way that a disk is full, which each store says in words of its own. */
import { statfs } from 'node:fs/promises';
import { UserError } from '../../results/user-error.ts';

/** As the system, SQLite and LevelDB say it. */
const FULL = /ENOSPC|no space left on device|database or disk is full/i;
/** LMDB says this of a write that the disk took a part of only: what is free tells why. */
const SHORT_WRITE = /input\/output error/i;
const LEAST_FREE_BYTES = 2 ** 20;

/**
 * @param where.directory where the work writes
 * @param where.remedy    an alternative to freeing space there
 * @throws UserError (3) if the disk is full; other errors as they are
 */
export async function namingFullDisk<Value>(
  where: { directory: string; remedy: string },
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    const { message, code = '' } = cause as NodeJS.ErrnoException;
    const isFull = SHORT_WRITE.test(message) ? await hasNoSpace(where.directory) : FULL.test(`${code} ${message}`);
    if (!isFull) throw cause;
    throw new UserError(`no space is left on the disk of ${where.directory}: free some, or ${where.remedy}`, {
      exitCode: 3,
      cause,
    });
  }
}

async function hasNoSpace(directory: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize < LEAST_FREE_BYTES;
}

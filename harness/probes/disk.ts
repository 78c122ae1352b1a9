/** The disk below a store: bytes that processes write, sizes of folders, and the way in which each store says that it is full. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { readKernelFile } from '../../infra/kernel-file.ts';
import { Unavailable } from '../../results/user-error.ts';

/** Size of all files below a folder, in bytes. Files that vanish meanwhile count as nothing. */
export async function sizeOnDisk(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) =>
    stat(join(parentPath, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/**
 * Bytes that a process has handed to the system to write since it began, in all its threads, sockets that it writes by write(2)
 * included. The system also counts pages that go to the disk, but none of a file system in memory, and later than they are written.
 *
 * @returns null if the system does not say
 */
export function writtenBytes(path = '/proc/self/io'): number | null {
  const { bytes } = /^wchar: (?<bytes>\d+)$/m.exec(readKernelFile(path) ?? '')?.groups ?? {};
  return bytes === undefined ? null : Number(bytes);
}

/** Bytes that processes wrote, of which some end and others begin. */
export class WrittenBytes {
  /** Processes that ended count with their last reading. */
  readonly #bytesOf = new Map<number, number>();

  /** @returns of these, and of all that were read before; null if nothing is known */
  read(pids: readonly number[]): number | null {
    for (const pid of pids) {
      const bytes = writtenBytes(`/proc/${pid}/io`);
      if (bytes !== null) this.#bytesOf.set(pid, bytes);
    }
    return this.#bytesOf.size === 0 ? null : this.#bytesOf.values().reduce((sum, bytes) => sum + bytes, 0);
  }
}

/** As the system, Postgres, Redis, SQLite and LevelDB say it. */
const FULL = /ENOSPC|no space left on device|database or disk is full/i;
/** LMDB says this of a write that the disk took a part of only: what is free tells why. */
const SHORT_WRITE = /input\/output error/i;
const LEAST_FREE_BYTES = 2 ** 20;

/** True if words of a store, or of a server with one, say that the disk of this folder is full. */
export async function saysFullDisk(words: string, directory: string): Promise<boolean> {
  return SHORT_WRITE.test(words) ? hasNoSpace(directory) : FULL.test(words);
}

/**
 * Says in one way that a disk is full, which each store says in words of its own.
 *
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
    if (!(await saysFullDisk(`${code} ${message}`, where.directory))) throw cause;
    throw new Unavailable(sayFullDisk(where.directory, where.remedy), { cause });
  }
}

export function sayFullDisk(directory: string, remedy: string): string {
  return `no space is left on the disk of ${directory}: free some, or ${remedy}`;
}

/** True if less than a MiB is free there, which no store can work with. */
export async function hasNoSpace(directory: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize < LEAST_FREE_BYTES;
}

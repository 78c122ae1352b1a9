/** Folders that are whole or not there: filled aside, and renamed into place. Nothing of killed processes is left beside them. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isAlive } from '../../results/run-folder/run-owner.ts';

/** As `besidePlace` names them; its process is named first. */
const PARTIAL = /\.(?<pid>\d+)(-[^.]+)?\.partial$/;

/**
 * Makes a folder, unless it is there.
 *
 * @param make fills the empty folder that it gets
 * @throws what `make` throws, with nothing left; the file system's error
 */
export async function madeOnce(folder: string, make: (partial: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return;
  await besidePlace(folder, async (partial) => {
    await make(partial);
    await putInPlace(partial, folder);
  });
}

/** Gives an empty folder beside this place, and removes what is left of it afterwards, also after an error. */
export async function besidePlace<Value>(place: string, work: (partial: string) => Promise<Value>): Promise<Value> {
  const partial = `${place}.${process.pid}-${randomUUID()}.partial`;
  try {
    await mkdir(partial, { recursive: true });
    await removeOrphans(dirname(place), PARTIAL);
    return await work(partial);
  } finally {
    await rm(partial, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Renames a folder to its place. Another process may have been quicker: then its folder, which holds the same, stays. */
export async function putInPlace(partial: string, folder: string): Promise<void> {
  await rename(partial, folder).catch((error) => {
    if (!existsSync(folder)) throw error;
  });
}

/**
 * Removes what processes left that were killed.
 *
 * @param pattern the names in that folder; its group `pid` is the process
 * @param remove  how one is removed; a folder of another account is theirs to remove, and stays
 */
export async function removeOrphans(
  folder: string,
  pattern: RegExp,
  remove: (path: string) => Promise<void> = (path) => rm(path, { recursive: true, force: true }),
): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = pattern.exec(name)?.groups?.pid;
    if (pid === undefined || isAlive(Number(pid))) continue;
    await remove(join(folder, name)).catch(() => {
      // Another account's; or a process that is about to end still writes there: the next removes it.
    });
  }
}

/** Purposes of temporary folders, which are named after the process that made them. Removing the files undoes these completely; `infra/worktree.ts` has one that git knows of. */
const PURPOSES = ['fleet', 'job', 'run', 'server', 'image', 'published', 'replay', 'state', 'rest', 'join'] as const;

const NAME = new RegExp(`^scriptorium-(?:${PURPOSES.join('|')})-(?<pid>\\d+)-`);

/**
 * Makes a folder for this process, which is to remove it again; and removes those of processes that are gone.
 *
 * @returns its path
 */
export async function makeTemporaryFolder(purpose: (typeof PURPOSES)[number]): Promise<string> {
  await removeOrphans(tmpdir(), NAME);
  return mkdtemp(join(tmpdir(), `scriptorium-${purpose}-${process.pid}-`));
}

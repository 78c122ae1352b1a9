/** Folders that are whole or not there, also after a power cut: filled aside, and renamed into place. Nothing of killed processes is left beside them. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { makeFolder, syncFolder } from '../../results/formats/write-file.ts';
import { PROCESS_NAME, processName, standingOf } from '../../results/run-folder/process-name.ts';
import { severalAtOnce } from '../several-at-once.ts';
import { clearUpAfterEnd } from './group.ts';

/** As `besidePlace` names them. */
const PARTIAL = new RegExp(`\\.${PROCESS_NAME}-[^.]+\\.partial$`);
/** No folder takes so long to fill. */
const PARTIAL_LIMIT_MS = 24 * 3_600_000;
/** In a folder that was made once: written last. */
const WHOLE_FILE = '.whole';
/** The disk takes those of packages, which are thousands, in a second or two then. */
const SYNCED_AT_ONCE = 32;

/** True if the folder is there, with all that `madeOnce` was to put into it. */
export function isMade(folder: string): boolean {
  return existsSync(join(folder, WHOLE_FILE));
}

/**
 * Makes a folder, unless it is there.
 *
 * @param make fills the empty folder that it gets
 * @throws what `make` throws, with nothing left; the file system's error
 */
export async function madeOnce(folder: string, make: (partial: string) => Promise<void>): Promise<void> {
  if (isMade(folder)) return;
  await besidePlace(folder, async (partial) => {
    await make(partial);
    await syncAll(partial);
    await writeFile(join(partial, WHOLE_FILE), '');
    // One that is not whole is of an older version, which may be using it, or of a disk that lost a part.
    const before = partial.replace(/\.partial$/, '-before.partial');
    if (existsSync(folder) && !isMade(folder)) {
      await rename(folder, before).catch((error: NodeJS.ErrnoException) => {
        // Another process has just done the same.
        if (error.code !== 'ENOENT') throw error;
      });
    }
    await putInPlace(partial, folder);
    await rm(before, { recursive: true, force: true });
  });
}

/** Has the disk take all that is in a folder: else a power cut could leave the mark that it is whole beside files that are empty. */
async function syncAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await severalAtOnce(entries, SYNCED_AT_ONCE, async (entry) => {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) syncFolder(path);
    if (!entry.isFile()) return;
    await using file = await open(path);
    await file.sync();
  });
}

/** Gives an empty folder beside this place, and removes what is left of it afterwards, also after an error. */
export async function besidePlace<Value>(place: string, work: (partial: string) => Promise<Value>): Promise<Value> {
  const partial = `${place}.${processName()}-${randomUUID()}.partial`;
  try {
    makeFolder(partial);
    await removeOrphans(dirname(place), PARTIAL, { limitMs: PARTIAL_LIMIT_MS });
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
 * Removes what processes left that are gone. What belongs to one that cannot be seen from here, such as in another container, stays.
 *
 * @param pattern         the names in that folder; it holds `PROCESS_NAME`
 * @param options.limitMs age from which also that is removed
 * @param options.remove  how one is removed; a folder of another account is theirs to remove, and stays
 */
export async function removeOrphans(
  folder: string,
  pattern: RegExp,
  options: { limitMs?: number; remove?: (path: string) => Promise<void> } = {},
): Promise<void> {
  const { limitMs = Number.POSITIVE_INFINITY, remove = (path) => rm(path, { recursive: true, force: true }) } = options;
  for (const name of await readdir(folder).catch(() => [])) {
    const found = pattern.exec(name)?.groups;
    if (found === undefined) continue;
    const path = join(folder, name);
    const standing = standingOf(found);
    const ageMs = Date.now() - (await stat(path).then(({ mtimeMs }) => mtimeMs, Date.now));
    if (standing === 'alive' || (standing === 'unknown' && ageMs < limitMs)) continue;
    await remove(path).catch(() => {
      // Another account's; or a process that is about to end still writes there: the next removes it.
    });
  }
}

/** As `makeTemporaryFolder` names them. One for a commit is removed by `infra/worktree.ts`, since git knows of it. */
const TEMPORARY = new RegExp(`^scriptorium-(?!base-)(?:[a-z]+-)?${PROCESS_NAME}-`);

/** Of each temporary folder of this process: that it goes with this process is taken back. */
const releases = new Map<string, () => void>();

/**
 * Makes a folder for this process, which is to call `removeTemporaryFolder`; if it is killed before, the folder goes all the same. Removes
 * those that are left of processes that are gone.
 *
 * @param purpose lower-case letters; none for a fleet or a worker, where Chrome makes a socket, whose path has 107 characters at most
 * @returns       its path, absolute: whoever it is for may have another working folder
 */
export async function makeTemporaryFolder(purpose: string): Promise<string> {
  await removeOrphans(tmpdir(), TEMPORARY);
  const folder = await mkdtemp(resolve(tmpdir(), `scriptorium-${purpose && `${purpose}-`}${processName()}-`));
  releases.set(folder, clearUpAfterEnd(['rm', '-rf', '--', folder]));
  return folder;
}

/** The same, for as long as it is used. */
export async function temporaryFolder(purpose: string): Promise<{ path: string } & AsyncDisposable> {
  const path = await makeTemporaryFolder(purpose);
  return { path, [Symbol.asyncDispose]: () => removeTemporaryFolder(path) };
}

/** With all that is in it; a process that has just ended may still write there for a moment. */
export async function removeTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  releases.get(folder)?.();
  releases.delete(folder);
}

/**
 * A loss of power, of which a killed process gives no idea: files are then as they were when they were last synced. `synced.c`, which a
 * store's processes load, keeps a copy of them as they were; it says what the model is.
 */
import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readKernelFile } from '../kernel-file.ts';
import { runCommand } from '../process/child.ts';
import { madeOnce } from '../process/made-once.ts';
import { readProcessStat } from '../process/stat.ts';
import { severalAtOnce } from '../several-at-once.ts';

const SOURCE = join(import.meta.dirname, 'synced.c');
const LIBRARY = 'synced.so';
const COMPILER_LIMIT_MS = 60_000;
const FILES_AT_ONCE = 32;
/** By every account; others may pass through such a folder, but not look into it. */
const READABLE = 0o755;
const PASSABLE = 0o711;

/** @returns why no loss of power can be had here; null: it can */
export async function powerProblem(): Promise<string | null> {
  if (process.platform !== 'linux') return 'syncs are followed on Linux only';
  const version = await runCommand(['cc', '--version'], { limitMs: COMPILER_LIMIT_MS }).catch(() => null);
  return version === null ? 'there is no C compiler (cc); on Debian, apt-get install gcc libc6-dev brings one' : null;
}

/**
 * Compiles `synced.c`, once for each of its versions, and puts the library into a folder, through which a store's account may pass from
 * now on: caches are often closed to it.
 *
 * @param cache a folder for what can be made again
 * @returns     the library's path
 * @throws Error with the compiler's words
 */
export async function readySynced(folder: string, cache: string): Promise<string> {
  const source = await readFile(SOURCE);
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 16);
  const made = join(cache, 'stores', `synced-${process.arch}-${digest}`);
  await madeOnce(made, async (partial) => {
    const flags = ['-shared', '-fPIC', '-O2', '-D_FILE_OFFSET_BITS=64'];
    const command = ['cc', ...flags, '-o', join(partial, LIBRARY), SOURCE, '-ldl'];
    await runCommand(command, { limitMs: COMPILER_LIMIT_MS });
  });
  const library = join(folder, LIBRARY);
  await copyFile(join(made, LIBRARY), library);
  await chmod(library, READABLE);
  await chmod(folder, PASSABLE);
  return library;
}

export type PowerLoss = ReturnType<typeof powerLoss>;

/**
 * @param library as `readySynced` made it
 * @param synced  path of a folder that is not there yet: on the file system of the store, whose account may enter it
 */
export function powerLoss(library: string, synced: string) {
  const copyOf = ({ ino }: { ino: number }) => join(synced, String(ino));
  /** A copy that is there is of a sync meanwhile. A second name keeps the inode, whose number no other file gets then. */
  const keep = async (path: string) => {
    try {
      const copy = copyOf(await stat(path));
      await copyFile(path, copy, constants.COPYFILE_EXCL).catch(unless('EEXIST'));
      await link(path, `${copy}.pin`).catch(unless('EEXIST'));
    } catch (error) {
      // It is gone meanwhile.
      unless('ENOENT')(error as NodeJS.ErrnoException);
    }
  };
  const end = () => rm(synced, { recursive: true, force: true, maxRetries: 3 });
  return {
    /** Also the mark of the processes that have `environment`. */
    synced,
    /** For the processes that have the store's files open. */
    environment: { LD_PRELOAD: library, SCRIPTORIUM_SYNCED: synced },
    /**
     * Follows syncs from now on; all that lies in the store's folder by now counts as synced.
     *
     * @param pids the processes that have `environment`
     * @throws Error if the syncs of one cannot be seen, so that all it writes would count as lost
     */
    async begin(storeFolder: string, pids: readonly number[]): Promise<void> {
      const isSeen = (pid: number) => readKernelFile(`/proc/${pid}/maps`)?.includes(library) === true;
      // One that is gone by now, as a Postgres has many, syncs nothing more.
      const unseen = pids.find((pid) => !isSeen(pid) && readProcessStat(pid)?.ended === false);
      if (unseen !== undefined || pids.length === 0) {
        throw new Error(
          `power cannot be lost: the syncs of process ${unseen ?? '(none)'} are not seen; it is linked statically, or cannot read ${library}`,
        );
      }
      await mkdir(synced);
      await writeFile(join(synced, 'lock'), '');
      // A store may have an account of its own.
      await chmod(join(synced, 'lock'), 0o666);
      await chmod(synced, 0o777);
      await severalAtOnce(await filesIn(storeFolder), FILES_AT_ONCE, keep);
    },
    /**
     * Puts the files of the store's folder as they were at their last sync; those that never were synced are empty. To be called once
     * all of the store's processes have ended; nothing is followed any more.
     *
     * @throws Error if not all syncs could be followed
     */
    async strike(storeFolder: string): Promise<void> {
      const unknown = (await readdir(synced)).find((name) => name.startsWith('unknown-'));
      if (unknown !== undefined) throw new Error(`power cannot be lost: a sync was not followed (${unknown})`);
      await severalAtOnce(await filesIn(storeFolder), FILES_AT_ONCE, async (path) => {
        const found = await stat(path);
        const copy = copyOf(found);
        // In place, so that its owner and its rights stay.
        if (existsSync(copy)) await copyFile(copy, path);
        else await truncate(path);
        await chmod(path, found.mode);
      });
      await end();
    },
    end,
  };
}

/** Regular files, at whatever depth. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

function unless(code: string): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

/** Files that travel over a channel: sent in order, and written below one folder only, whole or not at all, of bounded size. */
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod';
import { makeFolder, syncFolder } from '../../results/formats/write-file.ts';
import type { Channel } from './channel.ts';

/** Announces a file, relative to the receiver's folder; its content follows. */
export const fileMessage = z.object({ type: z.literal('file'), path: z.string(), bytes: z.int().nonnegative() });
type FileMessage = z.infer<typeof fileMessage>;

/** A hundred times what the largest trial that was run has written. */
const LARGEST_FILE_BYTES = 512 * 2 ** 20;
const LARGEST_TRIAL_BYTES = 4 * 2 ** 30;
/** Names as trials have them: no step begins with a dot. */
const PATH = /^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*){0,4}$/;

/** Sends one file. Resolves when it is on its way. */
export async function sendFile<In>(
  channel: Channel<In, FileMessage>,
  path: string,
  content: Uint8Array,
): Promise<void> {
  channel.send({ type: 'file', path, bytes: content.length });
  await channel.sendBytes(content);
}

/** Sends all files of a folder, by their paths in it. */
export async function sendFolder<In>(channel: Channel<In, FileMessage>, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) await sendFile(channel, relative(folder, path), await readFile(path));
}

export interface ReceivedFiles {
  /** @throws Error if the path or the size is not one that a trial may have, or the file before is not complete */
  begin(path: string, bytes: number): Promise<void>;
  /** @throws Error if more comes than was announced */
  write(chunk: Uint8Array): Promise<void>;
  /** Removes what has come of a file whose rest does not come any more. Whole files stay. */
  abandon(): Promise<void>;
}

export function receiveFiles(directory: string): ReceivedFiles {
  let totalBytes = 0;
  let current: { path: string; left: number; file: Awaited<ReturnType<typeof open>> } | null = null;

  const finish = async () => {
    const { path, file } = current!;
    current = null;
    await file.sync();
    await file.close();
    await rename(`${path}.partial`, path);
    syncFolder(dirname(path));
  };

  return {
    async begin(path, bytes) {
      if (current !== null) throw new Error(`a file was announced before the last was complete`);
      if (!PATH.test(path)) throw new Error(`"${path}" is not the path of a trial's file`);
      totalBytes += bytes;
      if (bytes > LARGEST_FILE_BYTES || totalBytes > LARGEST_TRIAL_BYTES) {
        throw new Error(`${path} with ${bytes} bytes is larger than a trial's files may be`);
      }
      const target = join(directory, path);
      makeFolder(dirname(target));
      current = { path: target, left: bytes, file: await open(`${target}.partial`, 'w') };
      if (bytes === 0) await finish();
    },
    async write(chunk) {
      if (current === null || chunk.length > current.left) throw new Error('more bytes came than were announced');
      const taking = current;
      // Not `write`, which may take a part of it only.
      await taking.file.writeFile(chunk);
      taking.left -= chunk.length;
      if (taking.left === 0 && taking === current) await finish();
    },
    async abandon() {
      if (current === null) return;
      const { path, file } = current;
      current = null;
      await file.close();
      await rm(`${path}.partial`, { force: true });
    },
  };
}

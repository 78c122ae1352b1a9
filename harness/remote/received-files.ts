/** Files that a machine elsewhere sends: written below one folder and nowhere else, whole or not at all, of bounded size. */
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A hundred times what the largest trial that was run has written. */
const LARGEST_FILE_BYTES = 512 * 2 ** 20;
const LARGEST_TRIAL_BYTES = 4 * 2 ** 30;
/** Names as trials have them: no step begins with a dot. */
const PATH = /^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*){0,4}$/;

export interface ReceivedFiles {
  /** @throws Error where the path or the size is not one that a trial may have, or the file before is not complete */
  begin(path: string, bytes: number): Promise<void>;
  /** @throws Error where more comes than was announced */
  write(chunk: Uint8Array): Promise<void>;
}

export function receiveFiles(directory: string): ReceivedFiles {
  let totalBytes = 0;
  let current: { path: string; left: number; file: Awaited<ReturnType<typeof open>> } | null = null;

  const finish = async () => {
    const { path, file } = current!;
    current = null;
    await file.close();
    await rename(`${path}.partial`, path);
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
      await mkdir(dirname(target), { recursive: true });
      current = { path: target, left: bytes, file: await open(`${target}.partial`, 'w') };
      if (bytes === 0) await finish();
    },
    async write(chunk) {
      if (current === null || chunk.length > current.left) throw new Error('more bytes came than were announced');
      await current.file.write(chunk);
      current.left -= chunk.length;
      if (current.left === 0) await finish();
    },
  };
}

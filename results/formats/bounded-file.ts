/** Reads files that may be anybody's: none that is no file, such as a device that never ends, and none that memory does not hold. */
import { readFile, stat } from 'node:fs/promises';

/** @throws Error that says why, but not of which file; the file system's error */
export async function readBoundedFile(path: string, mostBytes: number): Promise<Buffer> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error('it is no file');
  if (found.size > mostBytes) throw new Error(`it has ${found.size} bytes, ${mostBytes} at most`);
  return readFile(path);
}

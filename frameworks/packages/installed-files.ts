/** What was installed, file by file, so that an altered one is noticed. */
import { createHash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The digest of each file below a folder, by its path from there with forward slashes; of a link, where it leads. */
export type FileDigests = Record<string, string>;

/** Files that are read at once. */
const AT_ONCE = 32;

export async function digestFiles(folder: string): Promise<FileDigests> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => !entry.isDirectory()).map((entry) => ({ entry, path: pathOf(entry) }));
  const digests: FileDigests = {};
  const waiting = paths.values();
  const work = async () => {
    for (const { entry, path } of waiting) {
      const name = relative(folder, path).replaceAll('\\', '/');
      digests[name] = entry.isSymbolicLink() ? `link to ${await readlink(path)}` : sha256(await readFile(path));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return digests;
}

/** The first file, in the order of their paths, that is another than it was, or is there only once; null: there is none. */
export function firstDifference(before: FileDigests, now: FileDigests): string | null {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return paths.find((path) => before[path] !== now[path]) ?? null;
}

function pathOf({ parentPath, name }: { parentPath: string; name: string }): string {
  return join(parentPath, name);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Writes files and folders that are whole or not there, also after a power cut. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

let writes = 0;

/**
 * Writes a file so that a reader sees the old one or the whole new one, never a part. The disk has it when the call resolves.
 *
 * @throws the file system's error with the file's path, after removing what was half written
 */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  makeFolder(dirname(path));
  // Two processes, or two calls in one, may write the same file at once.
  const partial = `${path}.${process.pid}-${++writes}.partial`;
  try {
    await writeFile(partial, content, { flush: true });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw Object.assign(error as Error, { path });
  }
  syncFolder(dirname(path));
}

/** Writes a value as indented JSON, atomically. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFileAtomically(path, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Makes a folder, and those above it that are missing. Node's own recursion never ends if the system denies a folder below one
 * that exists, as in /proc.
 *
 * @returns the folders that it made, the lowest first
 * @throws the file system's error; ENOTDIR if there is a file in its place
 */
export function makeFolder(path: string): string[] {
  if (isFolder(path)) return [];
  const parent = dirname(path);
  const above = existsSync(parent) ? [] : makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Another process may have been quicker.
    if (!isFolder(path)) throw Object.assign(error as Error, { code: 'ENOTDIR' });
  }
  syncFolder(parent);
  return [path, ...above];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Codes of a folder that its file system cannot sync, or that this account may not list. */
const CANNOT_SYNC = ['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'];

/** Has the disk take the names in a folder: a file's own sync does not keep its name. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!CANNOT_SYNC.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

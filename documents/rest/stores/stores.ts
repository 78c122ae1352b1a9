/** The stores that experiments can name. Each is loaded only when it is opened: the process that coordinates trials needs none. */
import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import type { STORES } from '../../../harness/experiment/document-experiments.ts';
import type { OpenStore } from './store.ts';

export type StoreName = (typeof STORES)[number];

/** The npm package of each; SQLite is a part of Node. */
const PACKAGES: Readonly<Record<StoreName, string | null>> = { sqlite: null, level: 'classic-level', lmdb: 'lmdb' };

const LOADERS: Readonly<Record<StoreName, () => Promise<{ open: OpenStore }>>> = {
  sqlite: () => import('./sqlite.ts'),
  level: () => import('./level.ts'),
  lmdb: () => import('./lmdb.ts'),
};

/** Loads the store's code; what it returns opens one. */
export async function loadStore(name: StoreName): Promise<OpenStore> {
  return (await LOADERS[name]()).open;
}

export function storeVersion(name: StoreName): string {
  const npmName = PACKAGES[name];
  return npmName === null ? process.versions.sqlite! : packageVersion(npmName);
}

/** Of an installed package. */
export function packageVersion(name: string): string {
  return (JSON.parse(readFileSync(findPackageJSON(name, import.meta.url)!, 'utf8')) as { version: string }).version;
}

/** Size of the files in a store's folder, in bytes. */
export async function sizeOnDisk(directory: string): Promise<number> {
  const sizes = (await readdir(directory)).map(async (file) => (await stat(join(directory, file))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Bytes that this process has handed to the system to write since it began, in all its threads; null if the system does not say */
export function writtenBytes(path = '/proc/self/io'): number | null {
  let counts: string;
  try {
    counts = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const { bytes } = /^wchar: (?<bytes>\d+)$/m.exec(counts)?.groups ?? {};
  return bytes === undefined ? null : Number(bytes);
}

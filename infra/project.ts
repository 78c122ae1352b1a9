/** This project: its folder, the folder of things that it can make again, and a fingerprint of its sources. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join, matchesGlob, relative, resolve } from 'node:path';

export const PROJECT_ROOT: string = join(import.meta.dirname, '..');

/** The launcher, as it is called from the working folder. */
export const LAUNCHER = join(relative(process.cwd(), PROJECT_ROOT) || '.', 'scriptorium').replace(
  /^(?=scriptorium$)/,
  './',
);

/** Node, Chrome, the built page: made by the launcher and the harness, ignored by git, safe to delete. */
export const WORK_FOLDER: string = workFolderOf(PROJECT_ROOT);

/** The same of another checkout of the project. */
export function workFolderOf(root: string): string {
  return join(root, '.scriptorium');
}

/** The path from the working directory, if it lies below that. */
export function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}

/** The folder that new runs go into: that of SCRIPTORIUM_RESULTS, or the project's. */
export function resultsFolder(): string {
  return resolve(process.env.SCRIPTORIUM_RESULTS || join(PROJECT_ROOT, 'results'));
}

/** All that a run can use; `results/` holds others' files, too. */
const SOURCES = [
  '{analysis,cli,documents,editors,frameworks,harness,infra,servers,traces}/**/*.{ts,sql,html,css,c,py,rs}',
  'servers/*/requirements.txt',
  'documents/engines/native/Cargo.{toml,lock}',
  'infra/compose/*Dockerfile',
  'results/{*,formats/*,run-folder/*}.ts',
];
const TESTS = /\.(test|bench)\.ts$/;
const LOCK_FILE = 'package-lock.json';

/**
 * Tells two sources of the project apart: of an image and of this folder, or of a base then and now. The fingerprint changes
 * with every source and every package that a run can use.
 *
 * @param root  a folder that holds the project
 * @param files its `sourceFiles`, if they are known
 */
export async function sourceFingerprint(root: string = PROJECT_ROOT, files?: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  // Hundreds of small files, which take ten times as long one by one in other threads.
  for (const file of files ?? (await sourceFiles(root))) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Paths below the folder, in one order on every machine. */
export async function sourceFiles(root: string): Promise<string[]> {
  const sources = await Array.fromAsync(glob(SOURCES, { cwd: root }));
  return [...sources.filter((name) => !TESTS.test(name)).sort(), LOCK_FILE];
}

/** True if the fingerprint holds, or held, the file with this path below the folder. */
export function isSource(path: string): boolean {
  return path === LOCK_FILE || (!TESTS.test(path) && SOURCES.some((pattern) => matchesGlob(path, pattern)));
}

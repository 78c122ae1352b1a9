/**
 * The user's cache of traces: `<cache>/traces/<name>.<sha256>.trace`, each file as it was fetched or added, so that one
 * rename stores content and checksum together. Only traces that replay to their `endContent` get in.
 */

import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Of } from '../results/formats/digest.ts';
import { writeFileAtomically } from '../results/formats/write-file.ts';
import { messageOf, Unavailable, UserError } from '../results/user-error.ts';
import { cacheDirectory } from './cache-directory.ts';
import { parseTrace, readTraceBytes, type Trace } from './format.ts';
import { replay } from './replay.ts';

const STORED_FILE = /^(?<name>.+)\.(?<sha256>[0-9a-f]{64})\.trace$/;

export interface StoredTrace {
  name: string;
  path: string;
  sha256: string;
}

/** The folder of traces. */
export function traceCacheDirectory(): string {
  return join(cacheDirectory(), 'traces');
}

/**
 * Parses a trace and proves it by replay.
 *
 * @param source the trace's name in messages
 * @throws UserError (2) if it is no trace, or does not replay to its `endContent`
 */
export async function verifyTrace(bytes: Uint8Array, source: string): Promise<Trace> {
  const trace = await parseTrace(bytes, source);
  try {
    replay(trace);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    throw new UserError(`${source}: ${cause.message}`, { exitCode: cause.exitCode, cause });
  }
  return trace;
}

/**
 * Stores a verified trace under a name, in place of what had that name; whole or not at all.
 *
 * @throws UserError (3) if the cache cannot be written
 */
export async function storeTrace(name: string, bytes: Uint8Array): Promise<StoredTrace> {
  const directory = traceCacheDirectory();
  const sha256 = sha256Of(bytes);
  const path = join(directory, `${name}.${sha256}.trace`);
  try {
    await writeFileAtomically(path, bytes);
    for (const old of await storedFiles()) {
      if (old.name === name && old.sha256 !== sha256) await rm(old.path, { force: true });
    }
  } catch (cause) {
    throw cacheError('store the trace in', cause);
  }
  return { name, path, sha256 };
}

/** The traces in the cache, by name. */
export async function storedTraces(): Promise<StoredTrace[]> {
  const named = [...Map.groupBy(await storedFiles(), ({ name }) => name).values()];
  const stored = await Promise.all(named.map((files) => (files.length === 1 ? files[0]! : lastWhole(files))));
  return stored.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Of traces with one name, as a command leaves them that is killed while it replaces one: the one stored last; the others go. */
async function lastWhole(files: readonly StoredTrace[]): Promise<StoredTrace> {
  const seen = await Promise.all(
    files.map(async (file) => ({
      ...{ file, storedMs: (await stat(file.path)).mtimeMs },
      isWhole: sha256Of(await readFile(file.path)) === file.sha256,
    })),
  );
  seen.sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || b.storedMs - a.storedMs);
  const [last, ...others] = seen.map(({ file }) => file);
  // The cache may be read-only.
  for (const { path } of others) await rm(path, { force: true }).catch(() => {});
  return last!;
}

async function storedFiles(): Promise<StoredTrace[]> {
  const directory = traceCacheDirectory();
  return (await filesIn(directory)).flatMap((file) => {
    const { name, sha256 } = STORED_FILE.exec(file)?.groups ?? {};
    return name && sha256 ? [{ name, sha256, path: join(directory, file) }] : [];
  });
}

/**
 * @returns the trace; it was replayed when it was stored, and its checksum shows that it is still the same
 * @throws UserError (2) if its content is not what was stored
 */
export async function loadStoredTrace(stored: StoredTrace): Promise<Trace> {
  const bytes = await readTraceBytes(stored.path);
  if (sha256Of(bytes) === stored.sha256) return parseTrace(bytes, stored.path);
  throw new UserError(
    `The stored trace ${stored.path} is damaged: its sha256 is ${sha256Of(bytes)}. Delete it, then fetch or add it again.`,
  );
}

async function filesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw cacheError('read', error);
  }
}

function cacheError(failed: string, cause: unknown): UserError {
  if (cause instanceof UserError) return cause;
  const reason = messageOf(cause);
  return new Unavailable(
    `Cannot ${failed} ${traceCacheDirectory()} (${reason}). Make it writable and make room there, or name another ` +
      'directory in SCRIPTORIUM_CACHE.',
    { cause },
  );
}

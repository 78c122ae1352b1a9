/** Traces by name: the synthetic one, those in the user's cache, and those that the catalogue can fetch. */

import { basename } from 'node:path';
import { sha256Of } from '../results/formats/digest.ts';
import { Unavailable, UserError } from '../results/user-error.ts';
import { loadStoredTrace, type StoredTrace, storedTraces, storeTrace, verifyTrace } from './cache.ts';
import { CATALOGUE, type CataloguedTrace, catalogued } from './catalogue.ts';
import { readTraceBytes, type Trace } from './format.ts';
import { SYNTHETIC_NAME, syntheticTrace } from './synthetic.ts';

/** A name becomes part of a file's name, and is typed on command lines. */
const VALID_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export interface ListedTrace {
  name: string;
  state: 'generated' | 'in cache' | 'not fetched';
  /** Empty if it is not known. */
  licence: string;
  description: string;
}

/** A trace that was proved and stored, and its place. */
export interface AddedTrace extends StoredTrace {
  trace: Trace;
}

/**
 * Finds a trace by its name; generates the synthetic one.
 *
 * @throws UserError (2) if there is none of that name here: the message says how to get it
 */
export async function resolveTrace(name: string): Promise<Trace> {
  if (name === SYNTHETIC_NAME) return syntheticTrace();
  const stored = (await storedTraces()).find((trace) => trace.name === name);
  if (stored) return loadStoredTrace(stored);
  const entry = catalogued(name);
  if (entry) throw notFetchedError(entry);
  const known = (await listTraces()).map((trace) => trace.name).join(', ');
  throw new UserError(
    `There is no trace "${name}". Known are: ${known}. Add one of your own with: ./scriptorium traces add FILE --name ${name}`,
  );
}

/** Every trace that has a name: the synthetic one first, then by name. */
export async function listTraces(): Promise<ListedTrace[]> {
  const stored = new Set((await storedTraces()).map(({ name }) => name));
  const own = [...stored].filter((name) => !catalogued(name));
  const rows: ListedTrace[] = [
    ...CATALOGUE.map(({ name, licence, description }): ListedTrace => {
      return { name, state: stored.has(name) ? 'in cache' : 'not fetched', licence, description };
    }),
    ...own.map((name): ListedTrace => ({ name, state: 'in cache', licence: '', description: 'added from a file' })),
  ];
  rows.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const description = 'nobody typed it: generated, calibrated to automerge-paper';
  return [{ name: SYNTHETIC_NAME, state: 'generated', licence: 'Apache-2.0', description }, ...rows];
}

/**
 * Proves a trace file by replaying it and stores it in the cache.
 *
 * @param options.name by default the file's name without `.json` and `.gz`
 * @throws UserError (2) if the file or the name will not do, (3) if the cache cannot be written
 */
export async function addTrace(file: string, options: { name?: string } = {}): Promise<AddedTrace> {
  const name = options.name ?? basename(file).replace(/(\.json)?(\.gz)?$/, '');
  checkName(name);
  const bytes = await readTraceBytes(file);
  const entry = catalogued(name);
  if (entry && entry.sha256 !== sha256Of(bytes)) {
    throw new UserError(
      `"${name}" is the name of a public trace with the sha256 ${entry.sha256}, but ${file} has ${sha256Of(bytes)}. ` +
        'Give it another name with --name.',
    );
  }
  const trace = await verifyTrace(bytes, file);
  return { ...(await storeTrace(name, bytes)), trace };
}

/** A catalogued trace that is in the cache as the catalogue has it; null: it is to be fetched. */
export async function fetchedTrace(name: string): Promise<AddedTrace | null> {
  const sha256 = catalogued(name)?.sha256;
  const kept = (await storedTraces()).find((stored) => stored.name === name && stored.sha256 === sha256);
  return kept === undefined ? null : { ...kept, trace: await loadStoredTrace(kept) };
}

/**
 * Downloads a catalogued trace, checks its sha256, proves it by replay and stores it in the cache.
 *
 * @throws UserError (2) if the catalogue has no such name or something else was served, (3) without network
 */
export async function fetchTrace(name: string): Promise<AddedTrace> {
  const entry = catalogued(name);
  if (!entry) {
    const names = CATALOGUE.map((known) => known.name).join(', ');
    throw new UserError(`The catalogue has no trace "${name}". It has: ${names}.`);
  }
  const bytes = await download(entry.address);
  const sha256 = sha256Of(bytes);
  if (sha256 !== entry.sha256) {
    throw new UserError(
      `${entry.address} served something else than the catalogued trace: sha256 ${sha256}, expected ${entry.sha256}. ` +
        'Nothing was stored. Try again; if it stays so, the public file has changed.',
    );
  }
  const trace = await verifyTrace(bytes, entry.address);
  return { ...(await storeTrace(name, bytes)), trace };
}

function checkName(name: string): void {
  if (name === SYNTHETIC_NAME) {
    throw new UserError(`"${name}" is the name of the generated trace. Give another with --name.`);
  }
  if (VALID_NAME.test(name)) return;
  throw new UserError(
    `"${name}" cannot be a trace's name: valid are up to 64 letters, digits, ".", "_" and "-", a letter or digit first. ` +
      'Give another with --name.',
  );
}

function notFetchedError({ name, address }: CataloguedTrace): UserError {
  return new UserError(
    `The trace "${name}" is not in the cache yet. Fetch it with: ./scriptorium traces fetch ${name}\n` +
      `Or download ${address} elsewhere, and add it with: ./scriptorium traces add ${basename(address)}`,
  );
}

/** The largest public trace is under 10 MB gzipped. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Enough for the largest public trace on a slow line. */
const TIME_LIMIT_MS = 120_000;

/**
 * @returns the file's content
 * @throws UserError (3) if the address cannot be reached, answers with an error, or does not finish within the bounds
 */
export async function download(address: string): Promise<Uint8Array> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`);
    return await readBounded(response.body);
  } catch (cause) {
    throw new Unavailable(
      `Cannot download ${address}: ${reasonOf(cause)}. Check the network and try again, or download it elsewhere and ` +
        `add it with: ./scriptorium traces add ${basename(address)}`,
      { cause },
    );
  }
}

async function readBounded(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of body) {
    received += chunk.length;
    if (received > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1024 / 1024} MiB, which no trace is`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** `fetch` says only "fetch failed"; what failed is its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `it took longer than ${TIME_LIMIT_MS / 1000} s`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}

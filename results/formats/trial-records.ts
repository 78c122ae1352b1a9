/** The records of a trial as files: whether they are whole, and which they are. */
import { createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { sha256Of } from './digest.ts';
import { recordPath } from './run-directory.ts';

const CHECKSUM_BYTES = 8;

/** By each record's name, length, and the checksum with which a gzip file ends (RFC 1952, section 2.3.1). */
export async function recordsDigest(trialDirectory: string): Promise<string> {
  const files = await Promise.all(
    (await recordsIn(trialDirectory)).map(async ({ name, path }) => {
      await using file = await open(path);
      const { size } = await file.stat();
      const length = Math.min(size, CHECKSUM_BYTES);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return [name, size, buffer.toString('hex')];
    }),
  );
  return sha256Of(JSON.stringify(files));
}

/** @returns the first problem of a trial's records, all of which are read; null if there are some, and each can be unpacked to its end */
export async function recordsProblem(trialDirectory: string): Promise<string | null> {
  const records = await recordsIn(trialDirectory);
  for (const { path } of records) {
    const problem = await unpackingProblem(path);
    if (problem !== null) return damagedRecord(path, problem);
  }
  return records.length > 0 ? null : `${trialDirectory} has no records`;
}

export function damagedRecord(path: string, problem: Error): string {
  return `${path} is cut off or damaged, or too large (${problem.message})`;
}

/** A record of 256 users who see each other's markers for six minutes has 0.3 GB. */
export const MOST_UNPACKED_BYTES = 4 * 2 ** 30;
/** So many bytes at most come of one (zlib's technical details). */
const MOST_RATIO = 1032;
/** Four times as fast as with Node's 16 KiB. */
const CHUNK_BYTES = 2 ** 18;

/** @returns why a gzip file cannot be unpacked to its end, or is too large for a record; null if it can */
export async function unpackingProblem(path: string, mostBytes = MOST_UNPACKED_BYTES): Promise<Error | null> {
  let bytes = 0;
  const counted = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > mostBytes ? new Error(`it has more than ${mostBytes} bytes`) : null);
    },
  });
  return pipeline(createReadStream(path), createGunzip({ chunkSize: CHUNK_BYTES }), counted).then(
    () => null,
    (error: Error) => error,
  );
}

/** True if no gzip file of so many bytes could hold more than that. */
export function isSurelyBounded(packedBytes: number, mostBytes: number): boolean {
  return packedBytes * MOST_RATIO <= mostBytes;
}

/** In the order of their names. */
async function recordsIn(trialDirectory: string): Promise<{ name: string; path: string }[]> {
  const folder = dirname(recordPath(trialDirectory, 'any'));
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.sort().map((name) => ({ name, path: join(folder, name) }));
}

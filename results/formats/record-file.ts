/** Record files: gzipped NDJSON, one JSON object per line, written while the process runs. */
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, crc32, createGunzip, createGzip, type ZlibOptions } from 'node:zlib';
import * as z from 'zod';
import { UserError } from '../user-error.ts';
import { type RecordLine, recordSchema } from './records.ts';
import { otherSchemaVersion } from './schema-version.ts';
import { makeFolder } from './write-file.ts';

/**
 * The writer shares its core with what is measured, so it takes the cheapest level; and one process writes the records of all
 * users, so each takes a quarter of the memory that zlib would, for files that are 2 % larger at most.
 */
const COMPRESSION: ZlibOptions = { level: constants.Z_BEST_SPEED, windowBits: 13, memLevel: 6, chunkSize: 4096 };

export interface RecordWriter {
  /**
   * Appends lines and has them written, so that a process that is killed loses hardly any. Does not wait; what the disk cannot
   * take yet stays in memory. Each call ends a compression block and costs a few bytes: lines are best given many at once.
   */
  write(lines: RecordLine | RecordLine[]): void;
  /** Resolves once the disk has every line; rejects with its first error. The file's name is synced with the trial's verdict. */
  close(): Promise<void>;
}

/**
 * Opens a record for writing, replacing an older one; its folder is made if it is missing.
 *
 * @param options.onError called once, as soon as the disk refuses (full, gone); lines written after that are lost
 * @throws the file system's error if the folder cannot be made
 */
export function openRecordWriter(path: string, options: { onError?: (error: Error) => void } = {}): RecordWriter {
  makeFolder(dirname(path));
  const gzip = createGzip(COMPRESSION);
  let failed = false;
  let closing: Promise<void> | undefined;

  // Synced when it is closed, never while somebody types.
  const written = pipeline(gzip, createWriteStream(path, { flush: true }));
  written.catch((error: Error) => {
    failed = true;
    options.onError?.(Object.assign(error, { path }));
  });

  return {
    write(lines) {
      if (closing) throw new Error(`${path} is closed: no line can be added to it`);
      if (failed) return;
      const text = [lines].flat().map((line) => `${JSON.stringify(line)}\n`);
      gzip.write(text.join(''));
      gzip.flush(constants.Z_SYNC_FLUSH);
    },
    close() {
      if (!closing) {
        if (!failed) gzip.end();
        closing = written;
      }
      return closing;
    },
  };
}

/** Bounds on a trial's phases, or the figures of a trial of one document: readers keep all lines. */
const MOST_BYTES = 128 * 2 ** 20;
const MOST_LINE = 4 * 2 ** 20;

/**
 * Reads a record line by line, checking each against the schema.
 *
 * A file that was cut off yields its whole lines first.
 * @throws UserError (exit code 2) naming file and line: not a record, not JSON, not of the schema, too large, or cut off
 */
export async function* readRecordFile(path: string): AsyncGenerator<RecordLine> {
  let lineNumber = 0;
  let checksum = 0;
  let bytes = 0;
  let rest = '';
  const refuse = (what: string, cause?: unknown) =>
    new UserError(`${path}, line ${lineNumber + 1}: ${what}`, { cause });

  const source = createReadStream(path);
  // Without `finishFlush` a cut-off file would throw before its last lines come out; the checksum below detects it.
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 2 ** 18 });
  const unpacked = pipeline(source, gunzip);
  unpacked.catch(() => {}); // the loop below meets the same error
  const decoder = new TextDecoder();
  try {
    for await (const chunk of gunzip) {
      checksum = crc32(chunk, checksum);
      bytes += chunk.length;
      if (bytes > MOST_BYTES || rest.length > MOST_LINE)
        throw refuse('the record, or this line, is larger than any can be');
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        yield parseLine(line, refuse);
        lineNumber += 1;
      }
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw refuse(`the file cannot be unpacked (${(error as Error).message}); a record is gzipped NDJSON`, error);
  } finally {
    source.destroy();
  }
  if (rest !== '' || checksum !== (await readTrailer(path, 8))) {
    throw refuse('the record is cut off here; the process that wrote it did not end in order');
  }
}

function parseLine(line: string, refuse: (what: string, cause?: unknown) => UserError): RecordLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw refuse(`not JSON: ${line.slice(0, 80)}`, error);
  }
  const result = recordSchema.safeParse(value);
  if (result.success) return result.data;
  const otherVersion = otherSchemaVersion(value, result.error);
  if (otherVersion !== null) throw refuse(`it ${otherVersion}`, result.error);
  throw refuse(`not a line of a record: ${z.prettifyError(result.error)}`, result.error);
}

/**
 * A number of a gzip file's last eight bytes (RFC 1952, section 2.3.1): 8 from the end the CRC-32 of the unpacked bytes,
 * 4 from the end their count. Null for a file that is too short to state one.
 */
export async function readTrailer(path: string, bytesFromEnd: 8 | 4): Promise<number | null> {
  await using file = await open(path);
  const { size } = await file.stat();
  if (size < bytesFromEnd) return null;
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, size - bytesFromEnd);
  return buffer.readUInt32LE(0);
}

/** The records of trials, opened as the DuckDB views of `views/*.sql`. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { freemem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { DuckDBConnection, DuckDBResultReader, Json } from '@duckdb/node-api';
import { readTrailer } from '../../results/formats/record-file.ts';
import { recordPath } from '../../results/formats/run-directory.ts';
import {
  damagedRecord,
  isSurelyBounded,
  MOST_UNPACKED_BYTES,
  unpackingProblem,
} from '../../results/formats/trial-records.ts';
import { UserError } from '../../results/user-error.ts';
import { lineViews, macroDefinitions, malformedLinesView, receiptViews } from './definitions.ts';
import { OnDemand } from './on-demand.ts';

const VIEWS_DIRECTORY = import.meta.dirname;

/** Every query states its order; without keeping that of insertion, loading takes a quarter less memory. */
const ANY_ORDER = { preserve_insertion_order: 'false' };
/** Up to so many bytes of records, one thread does the work in the time that several take to share it, and rows take little memory. */
const SMALL_BYTES = 2_000_000;
const ONE_THREAD = { threads: '1' };
/** For more: memory that a query frees goes back to the system at once; by default DuckDB waits for half a gigabyte of it. */
const SPARING = { allocator_bulk_deallocation_flush_threshold: '1MB' };

/** DuckDB takes 80 % of the machine's memory unless told otherwise, also of what others have taken. */
const MEMORY_SHARE = 0.8;

export interface RecordsDatabase extends AsyncDisposable {
  /*
   * All but `ask` fail with a UserError (exit code 2) that names the trials: records may be read and still hold what no
   * query can work on, such as a count that no integer holds, and that must not cost more than their trial.
   */

  /** The rows of a query. Integers beyond 2^53 come as text; nothing that the views yield is so large. */
  rows<Row extends Record<string, Json>>(sql: string): Promise<Row[]>;
  /** The columns of a query whose every value is a number, a few thousand rows at a time, for large results. */
  scan(sql: string, visit: (columns: number[][]) => void): Promise<void>;
  /**
   * Any query, for a person to read: columns in their order, numbers where a double can hold them, else text; not many more
   * rows than `atMost`, of the last of its statements. Fails with the database's own error.
   */
  ask(
    sql: string,
    options?: { atMost?: number },
  ): Promise<{ columns: string[]; rows: (string | number | boolean | null)[][]; statements: number }>;
  /** From now on no statement reads or writes a file, or changes what is in the database. */
  confine(): Promise<void>;
  /** Sets a variable of the views to a list of texts. */
  setList(variable: string, texts: readonly string[]): Promise<void>;
  /** The names of all tables and views, in alphabetical order. */
  views(): Promise<string[]>;
  /** Writes one of them as a Parquet file, in an order that its rows alone decide. */
  exportParquet(view: string, path: string): Promise<void>;
}

/**
 * Loads every record of the given trials into a database in memory. Its views are made when they are asked for.
 *
 * @param trialDirectories  folders that hold `records/*.ndjson.gz`
 * @param options.mostBytes the most that a record may unpack to
 * @throws UserError (exit code 2) where a record is missing, cut off, too large or not NDJSON of the schema, naming the file
 */
export async function openRecords(
  trialDirectories: readonly string[],
  { mostBytes = MOST_UNPACKED_BYTES }: { mostBytes?: number } = {},
): Promise<RecordsDatabase> {
  // Not before it is needed: the process that coordinates trials knows this module, too, and is to stay small.
  const { DuckDBInstance, quotedIdentifier, quotedString } = await import('@duckdb/node-api');
  const files = await findRecordFiles(trialDirectories);
  for (const file of files)
    if (!isSurelyBounded((await stat(file)).size, mostBytes)) await requireUnpackable(file, mostBytes);
  const isSmall = await areSmall(files);
  const instance = await DuckDBInstance.create(':memory:', { ...ANY_ORDER, ...settingsFor(isSmall) });
  const connection = await instance.connect();
  const { track, allEnded } = trackTasks();
  const named = <T>(task: Promise<T>): Promise<T> => task.catch((error) => refuse(trialDirectories, error));
  // Also what is still to be made, or it would begin after the end.
  const whenReady = <T>(ready: Promise<void>, next: () => Promise<T>) => named(track(ready.then(next)));
  const allReady = () => whenReady(views.readyAll(), async () => {});
  const query = (sql: string) => whenReady(views.ready(sql), () => connection.runAndReadAll(sql));
  const close = async () => {
    // DuckDB crashes the whole process where a database is closed under a running query.
    await allEnded();
    connection.closeSync();
    instance.closeSync();
  };
  let views: OnDemand;
  try {
    views = new OnDemand(await load(connection, files), (sql) => connection.run(sql), { keepsRows: isSmall });
  } catch (error) {
    await close();
    // DuckDB may have stumbled over the end of a truncated file.
    await requireWhole(files, new Map());
    // It names the file and the line.
    throw new UserError(`A record cannot be read. ${firstSentence(error)}`, { cause: error });
  }
  const rows = async <Row extends Record<string, Json>>(sql: string) => {
    const reader = await query(sql);
    const names = reader.deduplicatedColumnNames();
    const whole = wholeColumns(reader).map((column) => names[column]!);
    const asNumbers = (row: Record<string, Json>) => whole.map((name) => [name, asNumber(row[name]!)]);
    return reader.getRowObjectsJson().map((row) => ({ ...row, ...Object.fromEntries(asNumbers(row)) })) as Row[];
  };
  return {
    rows,
    scan: (sql, visit) => whenReady(views.ready(sql), () => scan(connection, sql, visit)),
    async ask(sql, { atMost = Number.POSITIVE_INFINITY } = {}) {
      await allReady();
      const { count: statements } = await track(connection.extractStatements(sql));
      const reader = await track(
        atMost === Number.POSITIVE_INFINITY
          ? connection.runAndReadAll(sql)
          : connection.streamAndReadUntil(sql, atMost),
      );
      return { ...answerOf(reader), statements };
    },
    async confine() {
      await allReady();
      // In that folder everything stays allowed; without one, a query that memory does not hold fails.
      await query("SET temp_directory = ''");
      await query('SET enable_external_access = false');
      await query('SET lock_configuration = true');
      await query('BEGIN TRANSACTION READ ONLY');
    },
    async setList(variable, texts) {
      await query(`SET VARIABLE ${quotedIdentifier(variable)} = [${texts.map(quotedString).join(', ')}]::VARCHAR[]`);
    },
    async views() {
      const made = await rows<{ name: string }>(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'main'",
      );
      return [...made.map(({ name }) => name), ...views.waiting()].sort();
    },
    async exportParquet(view, path) {
      await query(`COPY (FROM ${quotedIdentifier(view)} ORDER BY ALL) TO ${quotedString(path)} (FORMAT parquet)`);
    },
    [Symbol.asyncDispose]: close,
  };
}

function answerOf(reader: DuckDBResultReader) {
  const whole = wholeColumns(reader);
  return {
    columns: reader.deduplicatedColumnNames(),
    rows: reader
      .getRowsJson()
      .map((row) => row.map((value, column) => plain(whole.includes(column) ? asNumber(value) : value))),
  };
}

/** Tasks whose end can be waited for, whatever it is. */
function trackTasks() {
  const running = new Set<Promise<unknown>>();
  return {
    track<T>(task: Promise<T>): Promise<T> {
      running.add(task);
      const ended = () => running.delete(task);
      task.then(ended, ended);
      return task;
    },
    allEnded: () => Promise.allSettled(running),
  };
}

async function areSmall(files: readonly string[]): Promise<boolean> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0) <= SMALL_BYTES;
}

function settingsFor(isSmall: boolean): Record<string, string> {
  // Not `process.availableMemory()`, which takes a container's page cache for used. A limit of 0 is one that is not known.
  const freeBytes = Math.min(freemem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const memory_limit = `${Math.ceil((freeBytes * MEMORY_SHARE) / 2 ** 20)}MiB`;
  return { memory_limit, ...(isSmall ? ONE_THREAD : SPARING) };
}

/** @returns the definitions of what is made of the records once they are read */
async function load(connection: DuckDBConnection, files: readonly string[]): Promise<string> {
  // Compressed, tables take half of the memory.
  await connection.run("ATTACH ':memory:' AS records (COMPRESS); USE records");
  const { quotedString } = await import('@duckdb/node-api');
  await connection.run(`SET VARIABLE record_files = [${files.map(asPattern).map(quotedString).join(', ')}]`);
  const [lines, processes, clocks, ...views] = await readViews();
  for (const part of [macroDefinitions(), lines!, lineViews(), processes!, clocks!]) await connection.run(part);
  const sizes = await connection.runAndReadAll('SELECT path, bytes FROM record_sizes');
  await requireWhole(files, new Map(sizes.getRows() as [string, number][]));
  return [...views, receiptViews(), malformedLinesView()].join(';\n');
}

function refuse(trialDirectories: readonly string[], error: unknown): never {
  const trials = trialDirectories.map((directory) => basename(directory)).join(', ');
  throw new UserError(`the records of ${trials} cannot be worked on: ${firstSentence(error)}`, { cause: error });
}

/** The rest of a message from DuckDB is advice on its own options. */
function firstSentence(error: unknown): string {
  return (error as Error).message.split('\n')[0]!;
}

/** The columns whose numbers come as text, since a double may not hold them. */
function wholeColumns(reader: DuckDBResultReader): number[] {
  return reader
    .columnTypes()
    .flatMap((type, column) => (/^(U?BIGINT|U?HUGEINT|DECIMAL)/.test(type.toString()) ? [column] : []));
}

/** A number that came as text, where a double holds it. */
function asNumber(value: Json): Json {
  return typeof value === 'string' && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

function plain(value: Json): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

async function findRecordFiles(trialDirectories: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const trialDirectory of trialDirectories) {
    const directory = dirname(recordPath(trialDirectory, 'any'));
    const names = existsSync(directory) ? await readdir(directory) : [];
    const records = names.filter((name) => name.endsWith('.ndjson.gz')).sort();
    if (records.length === 0) {
      throw new UserError(`${directory} holds no records (files named *.ndjson.gz)`);
    }
    files.push(...records.map((name) => join(directory, name)));
  }
  return files;
}

async function scan(connection: DuckDBConnection, sql: string, visit: (columns: number[][]) => void): Promise<void> {
  const result = await connection.stream(sql);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    visit(chunk.getColumns() as number[][]);
  }
}

/** DuckDB reads paths as patterns; a folder may be named `x[1]` all the same. */
function asPattern(path: string): string {
  return path.replace(/[[*?]/g, '[$&]');
}

/**
 * DuckDB takes a gzip file that ends early for a shorter one. Where the file's own
 * count is not what DuckDB found, unpacking it here tells what is wrong, if anything is.
 *
 * @param sizes how many bytes DuckDB found in each record, unpacked
 */
async function requireWhole(paths: readonly string[], sizes: ReadonlyMap<string, number>): Promise<void> {
  for (const path of paths) {
    if (sizes.get(path) === (await readTrailer(path, 4))) continue;
    await requireUnpackable(path);
  }
}

async function requireUnpackable(path: string, mostBytes?: number): Promise<void> {
  const problem = await unpackingProblem(path, mostBytes);
  if (problem === null) return;
  throw new UserError(damagedRecord(path, problem), { cause: problem });
}

/** In the order of their numbers, which is the order in which they build on each other. */
async function readViews(): Promise<string[]> {
  const names = (await readdir(VIEWS_DIRECTORY)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(names.map((name) => readFile(join(VIEWS_DIRECTORY, name), 'utf8')));
}

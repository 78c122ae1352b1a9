/** The records of trials, opened as the DuckDB views of `views/*.sql`. */
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DuckDBInstance, type Json, quotedString } from '@duckdb/node-api';
import { recordPath } from '../results/run-directory.ts';
import { UserError } from '../results/user-error.ts';

const VIEWS_DIRECTORY = join(import.meta.dirname, 'views');

export interface RecordsDatabase extends AsyncDisposable {
  /** The rows of a query. Integers beyond 2^53 would come as text; nothing that the views yield is so large. */
  rows<Row extends Record<string, Json>>(sql: string): Promise<Row[]>;
  /** The first column of a query, null left out. */
  numbers(sql: string): Promise<Float64Array>;
}

/**
 * Loads every record of the given trials into a database in memory and lays the views over it.
 *
 * @param trialDirectories folders that hold `records/*.ndjson.gz`
 * @throws UserError (exit code 2) where a record is missing, cut off or not NDJSON of the schema, naming the file
 */
export async function openRecords(trialDirectories: readonly string[]): Promise<RecordsDatabase> {
  const files = await findRecordFiles(trialDirectories);
  for (const file of files) await requireWhole(file);

  // Every query states its order; without keeping that of insertion, loading takes a quarter less memory.
  const instance = await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'false' });
  const connection = await instance.connect();
  const running = new Set<Promise<unknown>>();
  const query = (sql: string) => {
    const reader = connection.runAndReadAll(sql);
    running.add(reader);
    const ended = () => running.delete(reader);
    reader.then(ended, ended);
    return reader;
  };
  const close = async () => {
    // DuckDB crashes the whole process where a database is closed under a running query.
    await Promise.allSettled(running);
    connection.closeSync();
    instance.closeSync();
  };
  try {
    await connection.run(`SET VARIABLE record_files = [${files.map(quotedString).join(', ')}]`);
    for (const view of await readViews()) await connection.run(view);
  } catch (error) {
    await close();
    // DuckDB names the file and the line; what follows its first sentence is advice on its own options.
    const [reason] = (error as Error).message.split('\n');
    throw new UserError(`A record cannot be read. ${reason}`, { exitCode: 2, cause: error });
  }
  return {
    async rows<Row extends Record<string, Json>>(sql: string) {
      const reader = await query(sql);
      return reader.getRowObjectsJson() as Row[];
    },
    async numbers(sql) {
      const reader = await query(sql);
      const [column = []] = reader.getColumns();
      return Float64Array.from(column.filter((value) => typeof value === 'number'));
    },
    [Symbol.asyncDispose]: close,
  };
}

async function findRecordFiles(trialDirectories: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const trialDirectory of trialDirectories) {
    const directory = dirname(recordPath(trialDirectory, 'any'));
    const names = existsSync(directory) ? await readdir(directory) : [];
    const records = names.filter((name) => name.endsWith('.ndjson.gz')).sort();
    if (records.length === 0) {
      throw new UserError(`${directory} holds no records (files named *.ndjson.gz)`, { exitCode: 2 });
    }
    files.push(...records.map((name) => join(directory, name)));
  }
  return files;
}

/** DuckDB takes a gzip file that ends early for a shorter one, so this finds what was cut off. */
async function requireWhole(path: string): Promise<void> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    await pipeline(createReadStream(path), createGunzip(), discard);
  } catch (error) {
    throw new UserError(`${path} is cut off or damaged (${(error as Error).message})`, { exitCode: 2, cause: error });
  }
}

/** In the order of their numbers, which is the order in which they build on each other. */
async function readViews(): Promise<string[]> {
  const names = (await readdir(VIEWS_DIRECTORY)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(names.map((name) => readFile(join(VIEWS_DIRECTORY, name), 'utf8')));
}

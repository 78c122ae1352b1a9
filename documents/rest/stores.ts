/** The stores and ways that experiments can name. Each is loaded only when it is used: the process that coordinates trials needs none. */
import { join } from 'node:path';
import { versionFor } from '../../frameworks/packages/installed.ts';
import type { STORES, WAYS } from '../../harness/experiment/document-experiments.ts';
import type { Batch, Entry, OpenStore, Way } from './store.ts';

export type StoreName = (typeof STORES)[number];
export type WayName = (typeof WAYS)[number];

const YJS_PACKAGE = 'yjs';

/** The npm package whose version is the subject's; null: a part of Node. */
const PACKAGES: Readonly<Record<StoreName | WayName, string | null>> = {
  ...{ sqlite: null, level: 'classic-level', lmdb: 'lmdb' },
  ...{ rewrite: YJS_PACKAGE, append: YJS_PACKAGE, compact: YJS_PACKAGE, decompose: 'position-strings' },
};

export function packagesOf(of: { stores: readonly StoreName[]; ways: readonly WayName[] }): string[] {
  return [...of.stores, ...of.ways].flatMap((name) => PACKAGES[name] ?? []);
}

/** Loads the store's code; what it returns opens one. */
export function loadStore(name: StoreName): Promise<OpenStore> {
  return { sqlite: loadSqlite, level: loadLevel, lmdb: loadLmdb }[name]();
}

/** Loads the way’s code. */
export async function loadWay(name: WayName): Promise<Way> {
  return name === 'decompose' ? (await import('./decompose.ts')).way : (await import('./yjs-ways.ts'))[name];
}

export function storeVersion(name: StoreName): string {
  const npmName = PACKAGES[name];
  return npmName === null ? process.versions.sqlite! : versionFor(import.meta.filename, npmName)!;
}

/** The package that makes the bytes, and its version. */
export function wayVersion(name: WayName): string {
  return `${PACKAGES[name]} ${versionFor(import.meta.filename, PACKAGES[name])}`;
}

const NO_LIMIT = -1;

/** SQLite, as Node brings it: one table, whose primary key is its only index; with a write-ahead log, as its own pages advise. */
async function loadSqlite(): Promise<OpenStore> {
  const { DatabaseSync } = await import('node:sqlite');
  return async (directory, { durable }) => {
    const database = new DatabaseSync(join(directory, 'store.sqlite'));
    database.exec('PRAGMA journal_mode = WAL');
    // NORMAL syncs only when the log is moved into the table, and loses no consistency by that.
    database.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
    database.exec('CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID');
    const put = database.prepare('INSERT OR REPLACE INTO entries VALUES (?, ?)');
    const remove = database.prepare('DELETE FROM entries WHERE key = ?');
    const find = database.prepare('SELECT value FROM entries WHERE key = ?');
    const list = database.prepare('SELECT key, value FROM entries WHERE key >= ? AND key < ? ORDER BY key LIMIT ?');
    list.setReturnArrays(true);
    const begin = database.prepare('BEGIN');
    const commit = database.prepare('COMMIT');
    const rollback = database.prepare('ROLLBACK');

    const writeAll = ({ puts, deletes }: Batch) => {
      for (const key of deletes) remove.run(key);
      for (const [key, value] of puts) put.run(key, value);
    };
    return {
      write(batch) {
        // One statement is a transaction of its own.
        if (batch.puts.length + batch.deletes.length === 1) return writeAll(batch);
        begin.run();
        try {
          writeAll(batch);
          commit.run();
        } catch (error) {
          if (database.isTransaction) rollback.run();
          throw error;
        }
      },
      get: (key) => find.get(key)?.value as Uint8Array | undefined,
      scan: ({ from, to, limit = NO_LIMIT }) => list.all(from, to, limit) as unknown as Entry[],
      async close() {
        database.close();
      },
    };
  };
}

/** LevelDB through `classic-level`, with its defaults; it compacts its files in threads of its own. */
async function loadLevel(): Promise<OpenStore> {
  const { ClassicLevel } = await import('classic-level');
  return async (directory, { durable }) => {
    const level = new ClassicLevel<string, Uint8Array>(directory, { keyEncoding: 'utf8', valueEncoding: 'view' });
    await level.open();
    return {
      write: ({ puts, deletes }) =>
        level.batch(
          [
            ...deletes.map((key) => ({ type: 'del' as const, key })),
            ...puts.map(([key, value]) => ({ type: 'put' as const, key, value })),
          ],
          { sync: durable },
        ),
      get: (key) => level.get(key),
      scan: ({ from, to, limit = Number.POSITIVE_INFINITY }) => level.iterator({ gte: from, lt: to, limit }).all(),
      close: () => level.close(),
    };
  };
}

/** LMDB through `lmdb`: a transaction for each batch, in this thread, so that what it takes is what one edit takes. */
async function loadLmdb(): Promise<OpenStore> {
  const { open } = await import('lmdb');
  return async (directory, { durable }) => {
    const database = open<Uint8Array, string>({
      path: directory,
      noSubdir: false,
      encoding: 'binary',
      // Its default syncs later, in another thread: neither of the two that are measured here.
      overlappingSync: false,
      noSync: !durable,
    });
    return {
      write({ puts, deletes }) {
        database.transactionSync(() => {
          for (const key of deletes) database.removeSync(key);
          for (const [key, value] of puts) database.putSync(key, value);
        });
      },
      get: (key) => database.get(key),
      scan: ({ from, to, limit }) =>
        [...database.getRange({ start: from, end: to, limit })].map(({ key, value }): Entry => [key, value]),
      close: () => database.close(),
    };
  };
}

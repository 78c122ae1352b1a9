/** SQLite, as Node brings it: one table, whose primary key is its only index; with a write-ahead log, as its own pages advise. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Batch, Entry, OpenStore } from './store.ts';

const NO_LIMIT = -1;

export const open: OpenStore = async (directory, { durable }) => {
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

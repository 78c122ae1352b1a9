/** ShareDB's database in Postgres, by `sharedb-postgres`, and what tells several servers of it, by `sharedb-redis-pubsub`. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type ShareDB from 'sharedb';
import type { Pool } from 'sharedb-postgres';
import type { StorePlace } from '../server.ts';
import { type Database, databaseIn } from './stand-in.ts';

const STRUCTURE = 'sharedb-postgres/structure.sql';
/** Any number that all servers agree on. */
const STRUCTURE_LOCK = 5001;

/**
 * Opens the database, and what tells of it.
 *
 * @param options.redis the address of a Redis between several servers; absent: it is alone
 * @throws the database's error if it does not answer, or refuses
 */
export async function openStored(options: {
  store: Exclude<StorePlace, { folder: string }>;
  openDatabase: () => Database;
  redis?: string;
  writeDelayMs: number;
}) {
  const { store, openDatabase, redis, writeDelayMs } = options;
  const db = store.name === 'stand-in' ? databaseIn(store, openDatabase) : await openPostgres(store.url);
  return { db, pubsub: redis === undefined ? undefined : await openPubSub(redis), writeDelayMs };
}

/** With its tables, which are made the first time. */
async function openPostgres(url: string) {
  const { default: PostgresDB } = await import('sharedb-postgres');
  const db = new PostgresDB({ connectionString: url });
  // A connection that breaks while nobody uses it is made anew for the next. Unheard, it would end the process.
  db._pool.on('error', () => {});
  try {
    await makeTables(db._pool);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** One server at a time, and once: a part of the structure cannot be run twice. */
async function makeTables(pool: Pool): Promise<void> {
  const connection = await pool.connect();
  try {
    await connection.query(`BEGIN; SELECT pg_advisory_xact_lock(${STRUCTURE_LOCK})`);
    const { rows } = await connection.query("SELECT to_regclass('snapshots') IS NOT NULL AS exists");
    if (!rows[0]!.exists) {
      await connection.query(await readFile(createRequire(import.meta.url).resolve(STRUCTURE), 'utf8'));
    }
    await connection.query('COMMIT');
  } finally {
    // Closed, and with it what failed.
    connection.release(true);
  }
}

async function openPubSub(url: string): Promise<ShareDB.PubSub> {
  const { default: RedisPubSub } = await import('sharedb-redis-pubsub');
  const pubsub = new RedisPubSub({ url });
  // Its clients connect again by themselves.
  for (const emitter of [pubsub.client, pubsub.observer, pubsub]) emitter.on('error', () => {});
  return pubsub;
}

/** ShareDB's database in Postgres, by `sharedb-postgres`, and what tells several servers of it, by `sharedb-redis-pubsub`. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type ShareDB from 'sharedb';

const STRUCTURE = 'sharedb-postgres/structure.sql';

/**
 * Opens the database, and makes its tables the first time.
 *
 * @param options.redis the address of a Redis between several servers; absent: it is alone
 * @throws the database's error if it does not answer, or refuses
 */
export async function openStored(options: { url: string; redis?: string; writeDelayMs: number }) {
  const { url, redis, writeDelayMs } = options;
  const { default: PostgresDB } = await import('sharedb-postgres');
  const db = new PostgresDB({ connectionString: url });
  // A connection that breaks while nobody uses it is made anew for the next. Unheard, it would end the process.
  db._pool.on('error', () => {});
  try {
    const { rows } = await db._pool.query("SELECT to_regclass('snapshots') IS NOT NULL AS exists");
    // A part of it cannot be run twice.
    if (!rows[0]!.exists) await db._pool.query(await readFile(createRequire(import.meta.url).resolve(STRUCTURE), 'utf8'));
  } catch (error) {
    db.close();
    throw error;
  }
  return { db, pubsub: redis === undefined ? undefined : await openPubSub(redis), writeDelayMs };
}

async function openPubSub(url: string): Promise<ShareDB.PubSub> {
  const { default: RedisPubSub } = await import('sharedb-redis-pubsub');
  const pubsub = new RedisPubSub({ url });
  // Its clients connect again by themselves. Unheard, the first break would end the process.
  for (const emitter of [pubsub.client, pubsub.observer, pubsub]) emitter.on('error', () => {});
  return pubsub;
}

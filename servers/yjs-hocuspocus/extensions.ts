/** The extensions of Hocuspocus for what stands behind a server, with their defaults. Each is loaded only if it is wanted. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '@hocuspocus/extension-database';
import type { Extension } from '@hocuspocus/server';
import type { Backing, StandIn, StorePlace } from '../server.ts';

export async function extensionsFor({ store, writeDelayMs, together }: Backing): Promise<Extension[]> {
  const extensions: Extension[] = [];
  if (together?.redis !== undefined) extensions.push(await sharing(together.redis));
  if (store !== undefined) extensions.push(slowed(await keeping(store), writeDelayMs));
  return extensions;
}

async function sharing(address: string): Promise<Extension> {
  const { Redis } = await import('@hocuspocus/extension-redis');
  const { hostname: host, port, username, password } = new URL(address);
  const options = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  return new Redis({ host, port: Number(port), options });
}

async function keeping(store: StorePlace): Promise<Database> {
  switch (store.name) {
    case 'sqlite':
      return keepingInSqlite(store.folder);
    case 'postgres':
      return keepingInPostgres(store.url);
    case 'stand-in':
      return keepingInStandIn(store);
    default:
      throw new Error(`Hocuspocus has no extension here for the store ${store.name}`);
  }
}

async function keepingInSqlite(folder: string): Promise<Database> {
  const { SQLite } = await import('@hocuspocus/extension-sqlite');
  const sqlite = new SQLite({ database: join(folder, 'documents.sqlite') });
  return Object.assign(sqlite, { onDestroy: async () => void sqlite.db?.close() });
}

/** The generic extension asks for two functions; these are those of extension-sqlite, in the words of Postgres. */
async function keepingInPostgres(url: string): Promise<Database> {
  const [{ Database }, { Pool }] = await Promise.all([import('@hocuspocus/extension-database'), import('pg')]);
  const pool = new Pool({ connectionString: url });
  // An idle connection that the database ends would end this process; the next query opens another.
  pool.on('error', () => {});
  await pool.query('CREATE TABLE IF NOT EXISTS documents (name text PRIMARY KEY, data bytea NOT NULL)');
  const database = new Database({
    async fetch({ documentName }) {
      const { rows } = await pool.query<{ data: Buffer }>('SELECT data FROM documents WHERE name = $1', [documentName]);
      return rows[0]?.data ?? null;
    },
    async store({ documentName, state }) {
      await pool.query(
        'INSERT INTO documents (name, data) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET data = EXCLUDED.data',
        [documentName, state],
      );
    },
  });
  return Object.assign(database, { onDestroy: () => pool.end() });
}

async function keepingInStandIn({ ask }: StandIn): Promise<Database> {
  const { Database } = await import('@hocuspocus/extension-database');
  return new Database({
    fetch: ({ documentName }) => ask((held) => (held.get(documentName) as Uint8Array | undefined) ?? null),
    async store({ documentName, state }) {
      await ask((held) => held.set(documentName, state));
    },
  });
}

/** Each write waits first. */
function slowed(database: Database, delayMs: number): Database {
  const { store } = database.configuration;
  if (delayMs > 0) {
    database.configuration.store = async (data) => {
      await setTimeout(delayMs);
      await store(data);
    };
  }
  return database;
}

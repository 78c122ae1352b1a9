/** SimpleServer's hooks over a store, which has the whole document of each room: SQLite, as Node brings it, or a stand-in. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SimpleServer } from 'loro-websocket/server';
import type { StandIn } from '../kit.ts';

type Hooks = Required<Pick<ConstructorParameters<typeof SimpleServer>[0], 'onLoadDocument' | 'onSaveDocument'>>;

/** In a simulated world. */
export function hooksOver({ ask }: StandIn): Hooks {
  return {
    onLoadDocument: (room) => ask((held) => (held.get(room) as Uint8Array | undefined) ?? null),
    async onSaveDocument(room, _type, state) {
      await ask((held) => held.set(room, state));
    },
  };
}

/** @returns the hooks, and what closes the database once all that was to be saved is saved */
export function openDocuments(folder: string, writeDelayMs: number): { hooks: Hooks; close(): Promise<void> } {
  // Only here: it is there without a store, too, and says that it is experimental.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(join(folder, 'documents.sqlite'));
  database.exec('CREATE TABLE IF NOT EXISTS documents (room TEXT PRIMARY KEY, state BLOB NOT NULL)');
  const find = database.prepare('SELECT state FROM documents WHERE room = ?');
  const put = database.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?)');
  const save = async (room: string, state: Uint8Array) => {
    if (writeDelayMs > 0) await setTimeout(writeDelayMs);
    put.run(room, state);
  };
  /** The last one: the server's `stop` begins to save, and does not wait for it. */
  let saving = Promise.resolve();
  return {
    hooks: {
      onLoadDocument: async (room) => (find.get(room)?.state as Uint8Array | undefined) ?? null,
      // By the room alone: the type, which the server makes a number of, is NaN.
      onSaveDocument(room, _type, state) {
        saving = save(room, state);
        return saving;
      },
    },
    async close() {
      for (let awaited: Promise<void> | null = null; awaited !== saving; ) {
        awaited = saving;
        // The server logs it.
        await awaited.catch(() => {});
      }
      database.close();
    },
  };
}

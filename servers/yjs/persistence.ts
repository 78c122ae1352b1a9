/**
 * LevelDB behind the stock y-websocket server. What is bound here is what the package does if its environment names a folder at
 * its import; only so can a process have one server after the other, and a slow disk.
 */
import { setTimeout } from 'node:timers/promises';
import { LeveldbPersistence } from 'y-leveldb';
import * as Y from 'yjs';
import type { StandIn } from '../server.ts';

/** The part of y-leveldb that is used. */
type Updates = Pick<LeveldbPersistence, 'getYDoc' | 'storeUpdate' | 'destroy'>;

/** @returns `close`: resolves once all writes are done and the database is closed */
export function keepInLeveldb(folder: string, writeDelayMs: number) {
  return keepIn(new LeveldbPersistence(folder), writeDelayMs);
}

/** In a simulated world: updates in a row, as y-leveldb has them, and one transaction after the other. */
export function keepInStandIn(store: StandIn) {
  let last: Promise<unknown> = Promise.resolve();
  const ask: StandIn['ask'] = (act) => {
    const answer = last.then(() => store.ask(act));
    last = answer.catch(() => {});
    return answer;
  };
  const updatesOf = (held: Map<string, unknown>, name: string) => (held.get(name) as Uint8Array[] | undefined) ?? [];
  return keepIn({
    async getYDoc(name) {
      const doc = new Y.Doc();
      const updates = await ask((held) => updatesOf(held, name));
      doc.transact(() => {
        for (const update of updates) Y.applyUpdate(doc, update);
      });
      return doc;
    },
    storeUpdate: (name, update) =>
      ask((held) => {
        const updates = [...updatesOf(held, name), update];
        held.set(name, updates);
        return updates.length - 1;
      }),
    async destroy() {},
  });
}

function keepIn(updates: Updates, writeDelayMs = 0) {
  let written: Promise<unknown> = Promise.resolve();
  /** The documents that are still being read: what users type meanwhile is written after that. */
  let read: Promise<unknown> = Promise.resolve();
  const write = (name: string, update: Uint8Array) => {
    const store = () => updates.storeUpdate(name, update);
    // The database has a queue of its own; what waits before it has none.
    const writing = writeDelayMs === 0 ? store() : written.then(() => setTimeout(writeDelayMs)).then(store);
    written = written.then(() => writing);
  };
  const bind = async (name: string, doc: Y.Doc) => {
    // As in the database's own queue.
    if (writeDelayMs > 0) await written;
    const kept = await updates.getYDoc(name);
    write(name, Y.encodeStateAsUpdate(doc));
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(kept));
    doc.on('update', (update: Uint8Array) => write(name, update));
  };
  const persistence = {
    provider: updates,
    /** The document is served meanwhile. */
    bindState(name: string, doc: Y.Doc): Promise<void> {
      const binding = bind(name, doc);
      read = Promise.allSettled([read, binding]).then(() => {});
      return binding;
    },
    async writeState() {},
  };
  return {
    persistence,
    async close() {
      await read;
      await written;
      await updates.destroy();
    },
  };
}

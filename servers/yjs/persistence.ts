/**
 * LevelDB behind the stock y-websocket server. What is bound here is what the package does if its environment names a folder at
 * its import; only so can a process have one server after the other, and a slow disk.
 */
import { setTimeout } from 'node:timers/promises';
import { LeveldbPersistence } from 'y-leveldb';
import * as Y from 'yjs';

/** @returns `close`: resolves once all writes are done and the database is closed */
export function keepInLeveldb(folder: string, writeDelayMs: number) {
  const leveldb = new LeveldbPersistence(folder);
  let written: Promise<unknown> = Promise.resolve();
  const write = (name: string, update: Uint8Array) => {
    if (writeDelayMs > 0) written = written.then(() => setTimeout(writeDelayMs));
    written = written.then(() => leveldb.storeUpdate(name, update));
  };
  const persistence = {
    provider: leveldb,
    /** The document is served meanwhile. */
    async bindState(name: string, doc: Y.Doc) {
      // As in the database's own queue.
      if (writeDelayMs > 0) await written;
      const kept = await leveldb.getYDoc(name);
      write(name, Y.encodeStateAsUpdate(doc));
      Y.applyUpdate(doc, Y.encodeStateAsUpdate(kept));
      doc.on('update', (update: Uint8Array) => write(name, update));
    },
    async writeState() {},
  };
  return {
    persistence,
    async close() {
      await written;
      await leveldb.destroy();
    },
  };
}

/**
 * ShareDB's database in memory, without its copies. The stock one clones the whole document as JSON when it is read and
 * when it is written, because it cannot know the types; rich-text never changes a document in place, so here all readers
 * may share one. ShareDB calls its own "not appropriate for production use", and a database elsewhere would not make the
 * server's thread copy either.
 */
import ShareDB from 'sharedb';
import Snapshot from 'sharedb/lib/snapshot.js';

interface Stored {
  v: number;
  type: string | null;
  data: unknown;
  m: unknown;
}

/** The data of `MemoryDB`, and the one of its methods that is called here (sharedb 7.0, `lib/db/memory.js`). */
interface MemoryDBInside {
  docs: Record<string, Record<string, Stored>>;
  _getVersionSync(collection: string, id: string): number;
}

export class ShallowSnapshots extends ShareDB.MemoryDB {
  _writeSnapshotSync(collection: string, id: string, { v, type, data, m }: Stored): void {
    const { docs } = this as unknown as MemoryDBInside;
    docs[collection] ??= {};
    if (type) docs[collection][id] = { v, type, data, m };
    else delete docs[collection][id];
  }

  _getSnapshotSync(collection: string, id: string, includeMetadata: boolean): Snapshot {
    const inside = this as unknown as MemoryDBInside;
    const stored = inside.docs[collection]?.[id];
    if (stored === undefined) return new Snapshot(id, inside._getVersionSync(collection, id), null, undefined, null);
    return new Snapshot(id, stored.v, stored.type, stored.data, includeMetadata ? structuredClone(stored.m) : null);
  }
}

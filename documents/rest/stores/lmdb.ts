/** LMDB through `lmdb`: a transaction for each batch, in this thread, so that what it takes is what one edit takes. */
import { open as openDatabase } from 'lmdb';
import type { Entry, OpenStore } from './store.ts';

export const open: OpenStore = async (directory, { durable }) => {
  const database = openDatabase<Uint8Array, string>({
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

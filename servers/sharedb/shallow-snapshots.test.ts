/** The database without copies behaves as the stock one does. */

import ShareDB from 'sharedb';
import { expect, test } from 'vitest';
import { COLLECTION, SEED, TYPE } from '../../editors/sharedb/document.ts';
import { ShallowSnapshots } from './shallow-snapshots.ts';

ShareDB.types.register(TYPE);

const DATABASES = { stock: () => new ShareDB.MemoryDB(), shallow: () => new ShallowSnapshots() };

async function play(open: () => InstanceType<typeof ShareDB.MemoryDB>): Promise<unknown[]> {
  const db = open();
  const backend = new ShareDB({ db });
  const snapshot = () =>
    new Promise<{ v: number; type: string | null; data?: unknown }>((resolve, reject) => {
      db.getSnapshot(COLLECTION, 'one', null, null, (error, found) => (error ? reject(error) : resolve(found!)));
    });
  const seen: unknown[] = [];
  /** As JSON at once: what is read must not change afterwards. */
  const look = async () => {
    const { v, type, data } = await snapshot();
    seen.push(JSON.stringify({ v, type, data }));
  };
  const doc = backend.connect().get(COLLECTION, 'one');
  const done = (act: (callback: (error?: unknown) => void) => void) =>
    new Promise<void>((resolve, reject) => act((error) => (error ? reject(error) : resolve())));
  await look();
  await done((callback) => doc.create(SEED, TYPE.uri, callback));
  await look();
  const early = await snapshot();
  const before = JSON.stringify(early.data);
  for (let index = 0; index < 20; index++) {
    const op = [{ retain: index % 5 }, { insert: 'x', attributes: { bold: index % 2 === 0 } }];
    await done((callback) => doc.submitOp(op, {}, callback));
  }
  await look();
  expect(JSON.stringify(early.data)).toBe(before);
  await done((callback) => doc.del({}, callback));
  await look();
  await done((callback) => backend.close(callback));
  return seen;
}

test('the same snapshots come back, and none changes after it was read', async () => {
  expect(await play(DATABASES.shallow)).toEqual(await play(DATABASES.stock));
});

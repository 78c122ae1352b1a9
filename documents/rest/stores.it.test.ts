import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STORES } from '../../harness/experiment/document-experiments.ts';
import { sizeOnDisk } from '../../harness/probes/disk.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import type { Entry, Store } from './store.ts';
import { loadStore, storeVersion } from './stores.ts';

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text));
const inText = (entries: readonly Entry[]) => entries.map(([key, value]) => `${key}=${Buffer.from(value)}`);

describe.each(STORES)('%s', (name) => {
  const folder = folderOfEachTest();
  let store: Store;
  const open = async (durable: boolean) => (await loadStore(name))(folder.path, { durable });

  beforeEach(async () => {
    store = await open(false);
  });
  afterEach(async () => {
    await store.close();
  });

  test('gives back what a batch put, without what it deleted, in the order of the keys', async () => {
    const keys = ['b', 'a', 'aZ', 'a,0.B', 'a.1', 'a0', 'aa', 'c'];
    await store.write({ puts: keys.map((key): Entry => [key, bytesOf(key)]), deletes: [] });
    await store.write({ puts: [['b', bytesOf('other')]], deletes: ['aa'] });
    await store.write({ puts: [], deletes: ['not there'] });
    expect(await store.get('b')).toEqual(expect.objectContaining({ length: 5 }));
    expect(await store.get('aa')).toBeUndefined();
    const entries = await store.scan({ from: 'a', to: 'c' });
    expect(inText(entries)).toEqual(['a=a', 'a,0.B=a,0.B', 'a.1=a.1', 'a0=a0', 'aZ=aZ', 'b=other']);
    expect(inText(await store.scan({ from: 'a.', to: 'c', limit: 2 }))).toEqual(['a.1=a.1', 'a0=a0']);
    expect(await store.scan({ from: 'x', to: 'y' })).toEqual([]);
  });

  test('keeps values of a million bytes, and all when it is opened anew', async () => {
    const large = Uint8Array.from({ length: 1_000_000 }, (_, index) => index % 251);
    await store.write({ puts: [['large', large]], deletes: [] });
    await store.close();
    expect(await sizeOnDisk(folder.path)).toBeGreaterThan(10_000);
    store = await open(true);
    await store.write({ puts: [['small', bytesOf('1')]], deletes: [] });
    expect(Buffer.compare(Buffer.from((await store.get('large'))!), large)).toBe(0);
    expect(inText(await store.scan({ from: 's', to: 't' }))).toEqual(['small=1']);
  });

  test('values stay as they were read, whatever is read later', async () => {
    await store.write({
      puts: [
        ['a', bytesOf('first')],
        ['b', bytesOf('other')],
      ],
      deletes: [],
    });
    const first = await store.get('a');
    const both = await store.scan({ from: 'a', to: 'c' });
    await store.get('b');
    await store.write({ puts: [['a', bytesOf('newer')]], deletes: [] });
    expect(Buffer.from(first!).toString()).toBe('first');
    expect(inText(both)).toEqual(['a=first', 'b=other']);
  });

  test('takes ten thousand keys in one batch', async () => {
    const puts = Array.from({ length: 10_000 }, (_, index): Entry => [`k${index + 10_000}`, bytesOf(String(index))]);
    await store.write({ puts, deletes: [] });
    expect(await store.scan({ from: 'k', to: 'l' })).toHaveLength(10_000);
    await store.write({ puts: [], deletes: puts.map(([key]) => key) });
    expect(await store.scan({ from: 'k', to: 'l' })).toEqual([]);
  });

  test('says its version', () => {
    expect(storeVersion(name)).toMatch(/^\d+\.\d+\.\d+/);
  });
});

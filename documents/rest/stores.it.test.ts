import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STORES } from '../../harness/experiment/document-experiments.ts';
import { UserError } from '../../results/user-error.ts';
import type { Entry, Store } from './store.ts';
import { loadStore, namingFullDisk, sizeOnDisk, storeVersion, writtenBytes } from './stores.ts';

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text));
const inText = (entries: readonly Entry[]) => entries.map(([key, value]) => `${key}=${Buffer.from(value)}`);

describe.each(STORES)('%s', (name) => {
  let directory: string;
  let store: Store;
  const open = async (durable: boolean) => (await loadStore(name))(directory, { durable });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), `store-${name}-`));
    store = await open(false);
  });
  afterEach(async () => {
    await store.close();
    await rm(directory, { recursive: true });
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
    expect(await sizeOnDisk(directory)).toBeGreaterThan(10_000);
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

test.runIf(process.platform === 'linux')('what this process writes is counted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'written-bytes-'));
  try {
    const before = writtenBytes()!;
    await appendFile(join(folder, 'file'), Buffer.alloc(100_000));
    expect(writtenBytes()! - before).toBeGreaterThanOrEqual(100_000);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('where the system does not say, it is not known', () => {
  expect(writtenBytes('/proc/self/no-such-file')).toBeNull();
  expect(writtenBytes(import.meta.filename)).toBeNull();
});

const WHERE = { directory: '/there', remedy: 'go elsewhere' };
/** A part of Linux that has no room for anything. */
const ALWAYS_FULL = '/proc';
/** As LMDB says it of a write that the disk took a part of. */
const shortWrite = new Error('Input/output error');

test.each([
  ['the system', Object.assign(new Error('write'), { code: 'ENOSPC' })],
  ['SQLite', new Error('database or disk is full')],
  ['LevelDB', new Error('IO error: /there/000003.log: No space left on device')],
])('a full disk as %s says it is named, with what to do', async (_, error) => {
  const named = namingFullDisk(WHERE, () => Promise.reject(error));
  await expect(named).rejects.toThrow('no space is left on the disk of /there: free some, or go elsewhere');
  await expect(named).rejects.toBeInstanceOf(UserError);
});

test.runIf(existsSync(ALWAYS_FULL))('a short write is one of a full disk where nothing is free', async () => {
  const where = { ...WHERE, directory: ALWAYS_FULL };
  await expect(namingFullDisk(where, () => Promise.reject(shortWrite))).rejects.toThrow('no space is left');
});

test('another error stays as it is', async () => {
  const error = new Error('something else');
  await expect(namingFullDisk(WHERE, () => Promise.reject(error))).rejects.toBe(error);
  await expect(namingFullDisk({ ...WHERE, directory: tmpdir() }, () => Promise.reject(shortWrite))).rejects.toBe(
    shortWrite,
  );
  expect(await namingFullDisk(WHERE, async () => 1)).toBe(1);
});

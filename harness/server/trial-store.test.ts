import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { openTrialStore, type TrialStore, type TrialStoreOptions } from './trial-store.ts';

const temporary = folderOfEachTest();

function open(given: Partial<TrialStoreOptions> = {}): Promise<TrialStore> {
  const { signal } = new AbortController();
  const folder = temporary.in('store');
  const options = { url: null, isReused: false, owner: null, folder, environment: {}, signal, onLost: () => {} };
  return openTrialStore({ name: 'leveldb', ...options, ...given });
}

test('in files, each server has a folder of its own, and all of them are measured', async () => {
  const lost: string[] = [];
  const store = await open({ onLost: (why) => lost.push(why) });
  const place = await store.placeFor(1);
  expect(place).toEqual({ name: 'leveldb', folder: temporary.in('store', 'server-2') });
  await temporary.put('store/server-2/below/file', 'x'.repeat(100));
  const costs = { cpuMs: null, memoryBytes: null, writtenBytes: null };
  expect(await store.sample()).toEqual({ ...costs, sizeBytes: 100 });
  // Seldom, as it takes reading the folder.
  expect(await store.sample()).toEqual({ ...costs, sizeBytes: null });
  expect([lost, store.program]).toEqual([[], null]);
  await store.stop();
});

test('a database of somebody else’s that is not there is told of without its password', async () => {
  const opening = open({ name: 'postgres', url: 'postgres://me:secret@127.0.0.1:1/postgres' });
  await expect(opening).rejects.toThrow(/^the Postgres at 127\.0\.0\.1:1 refuses, or does not answer: /);
  await expect(opening).rejects.not.toThrow('secret');
});

test('a full disk is told from other failures, whichever words tell of it', async () => {
  const store = await open();
  expect(await store.fullDiskIn('ended with exit code 1:\nError: ENOSPC: no space left on device, write')).toBe(
    `no space is left on the disk of ${temporary.in('store')}: free some, or set TMPDIR to a folder on another disk`,
  );
  expect(await store.fullDiskIn('ended by SIGKILL')).toBeNull();
});

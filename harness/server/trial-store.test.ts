import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { BackingFailure, TrialStore } from './trial-store.ts';

const temporary = folderOfEachTest();

async function openInFiles(onLost: (why: string) => void = () => {}): Promise<TrialStore> {
  const { signal } = new AbortController();
  const folder = temporary.in('store');
  return TrialStore.open({ name: 'leveldb', url: null, isReused: false, folder, environment: {}, signal, onLost });
}

test('in files, each server has a folder of its own, and all of them are measured', async () => {
  const lost: string[] = [];
  const store = await openInFiles((why) => lost.push(why));
  const place = await store.placeFor(1);
  expect(place).toEqual({ name: 'leveldb', folder: temporary.in('store', 'server-2') });
  await mkdir(join(temporary.in('store', 'server-2'), 'below'));
  await writeFile(join(temporary.in('store', 'server-2'), 'below', 'file'), 'x'.repeat(100));
  const costs = { cpuMs: null, memoryBytes: null, writtenBytes: null };
  expect(await store.sample()).toEqual({ ...costs, sizeBytes: 100 });
  // Seldom, as it takes reading the folder.
  expect(await store.sample()).toEqual({ ...costs, sizeBytes: null });
  expect([lost, store.pids(), store.isProgram]).toEqual([[], [], false]);
  await store.stop();
});

test('a store that is a part of its server cannot be ended by itself', async () => {
  const store = await openInFiles();
  await expect(store.kill()).rejects.toThrow(
    'leveldb, its store, is a part of its server, and cannot be ended by itself',
  );
  await expect(store.startAgain()).rejects.toBeInstanceOf(BackingFailure);
});

test('a full disk is told from other failures, whichever words tell of it', async () => {
  const store = await openInFiles();
  expect(await store.fullDiskIn('ended with exit code 1:\nError: ENOSPC: no space left on device, write')).toBe(
    `no space is left on the disk of ${temporary.in('store')}: free some, or set TMPDIR to a folder on another disk`,
  );
  expect(await store.fullDiskIn('ended by SIGKILL')).toBeNull();
});

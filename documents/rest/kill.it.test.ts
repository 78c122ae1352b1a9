/** Persisted edits are there after the process was killed at any instant, and no edit is half there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as prng from 'lib0/prng';
import { expect, test } from 'vitest';
import { STORES, WAYS } from '../../harness/experiment/document-experiments.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { contentAfter } from '../replay/edits.ts';
import { loadStore, loadWay } from './stores.ts';
import type { Persisting } from './test-data/persist-until-killed.ts';
import { typedEdits } from './test-data/typed-edits.ts';

const MAIN = join(import.meta.dirname, 'test-data/persist-until-killed.ts');
const SEED = Number(process.env.SCRIPTORIUM_SEED ?? 2023);
/** Every second update: about as much time goes into compactions as into all else. */
const COMPACT_EVERY = 2;
const LATEST_KILL_MS = 40;

const edits = typedEdits(SEED);
const generator = prng.create(SEED);
const folder = folderOfEachTest();

/** @returns how many edits it had said that it kept */
async function persistAndKill(task: Persisting, afterMs: number): Promise<number> {
  const child = spawn(process.execPath, [MAIN, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let said = '';
  const begun = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes(`${task.from + 1}\n`)) resolve();
    });
  });
  await Promise.race([begun, closed]);
  await setTimeout(afterMs);
  child.kill('SIGKILL');
  const [, signal] = await closed;
  expect(signal).toBe('SIGKILL');
  return Number(said.split('\n').at(-2));
}

async function readText({ store: name, way, directory, durable }: Persisting): Promise<string> {
  const store = await (await loadStore(name))(directory, { durable });
  try {
    return await (await loadWay(way)).readAll(store);
  } finally {
    await store.close();
  }
}

/** Kills it twice, the second time when it goes on with what the first left, and then with every edit synced. */
async function killTwice(store: Persisting['store'], way: Persisting['way']): Promise<void> {
  const directory = await mkdtemp(folder.in(`${store}-${way}-`));
  let from = 0;
  for (const durable of [false, true]) {
    const task: Persisting = { store, way, durable, directory, seed: SEED, from, compactEvery: COMPACT_EVERY };
    const acknowledged = await persistAndKill(task, prng.real53(generator) * LATEST_KILL_MS);
    const text = await readText(task);
    const kept = [acknowledged, acknowledged + 1].find((count) => text === contentAfter(edits, count));
    expect(kept, `${store}, ${way}: it had kept ${acknowledged} edits`).toBeDefined();
    from = kept!;
  }
  expect(from).toBeGreaterThan(0);
}

test.each(STORES)('%s loses nothing and keeps no half edit, whichever way the document is kept', async (store) => {
  const ended = await Promise.allSettled(WAYS.map((way) => killTwice(store, way)));
  expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
});

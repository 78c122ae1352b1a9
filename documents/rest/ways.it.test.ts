import { mkdtemp } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STORES, WAYS } from '../../harness/experiment/document-experiments.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { sequentialTrace } from '../../tests/traces/random-traces.ts';
import { contentAfter, type Edits, editsOf, makeEdit } from '../replay/edits.ts';
import { editsFrom } from '../test-data/edits-from.ts';
import type { Store } from './store.ts';
import { loadStore, loadWay, type StoreName, type WayName } from './stores.ts';

/** Few, so that short histories are compacted several times. */
const OPTIONS = { compactEvery: 4 };
const RUNS = 8;

const folder = folderOfEachTest();

async function withStore<Value>(name: StoreName, directory: string, work: (store: Store) => Promise<Value>) {
  const store = await (await loadStore(name))(directory, { durable: false });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** @returns the bytes that each edit gave to the store */
async function persist(store: Store, way: WayName, edits: Edits, { from = 0, to = edits.count } = {}) {
  const document = await (await loadWay(way)).open(store, OPTIONS);
  const bytes: number[] = [];
  for (let index = from; index < to; index++) {
    makeEdit(document, edits, index);
    bytes.push(await document.persist());
  }
  return bytes;
}

describe.each(STORES.flatMap((store) => WAYS.map((way) => [store, way] as const)))('%s, %s', (name, way) => {
  test('any document is given back, also when it is opened anew in between', async () => {
    await fc.assert(
      fc.asyncProperty(sequentialTrace, fc.double({ min: 0, max: 1, noNaN: true }), async (trace, share) => {
        const edits = editsOf(trace);
        const directory = await mkdtemp(folder.in('store-'));
        const middle = Math.round(share * edits.count);
        await withStore(name, directory, async (store) => {
          await persist(store, way, edits, { to: middle });
          expect(await (await loadWay(way)).readAll(store)).toBe(contentAfter(edits, middle));
        });
        await withStore(name, directory, (store) => persist(store, way, edits, { from: middle }));
        const text = await withStore(name, directory, async (store) => (await loadWay(way)).readAll(store));
        expect(text).toBe(contentAfter(edits, edits.count));
        expect(text).toBe(trace.endContent);
      }),
      { numRuns: RUNS },
    );
  });

  test('many edits can be persisted at once', async () => {
    const edits = editsFrom([
      [0, 0, 'some'],
      [4, 0, ' text'],
      [1, 2, ''],
      [2, 3, 'ss'],
    ]);
    const directory = await mkdtemp(folder.in('store-'));
    await withStore(name, directory, async (store) => {
      const document = await (await loadWay(way)).open(store, OPTIONS);
      for (let index = 0; index < edits.count; index++) makeEdit(document, edits, index);
      await document.persist();
      expect(await (await loadWay(way)).readAll(store)).toBe(contentAfter(edits, edits.count));
    });
  });
});

test('what is written of an edit grows with the document only where all of it is rewritten', async () => {
  const lines = Array.from({ length: 60 }, (_, index): [number, number, string] => [10 * index, 0, 'ten units\n']);
  const edits = editsFrom(lines);
  const growth: Record<string, number> = {};
  for (const way of WAYS) {
    const directory = await mkdtemp(folder.in('store-'));
    const bytes = await withStore('sqlite', directory, (store) => persist(store, way, edits));
    growth[way] = Math.max(...bytes.slice(50)) / Math.max(...bytes.slice(4, 8));
    if (way === 'compact') expect(bytes.filter((each) => each > bytes[0]! + 20).length).toBeGreaterThan(10);
  }
  expect(growth.rewrite).toBeGreaterThan(3);
  expect(growth.compact).toBeGreaterThan(2);
  expect(growth.append).toBeLessThan(1.5);
  expect(growth.decompose).toBeLessThan(1.5);
});

describe.each(STORES)('%s', (name) => {
  test('a paragraph is read by itself, also one of several pages and the last one', async () => {
    const lines = ['the first', 'a'.repeat(1024), '', '\u{1f600} and more', 'b'.repeat(600)];
    const text = lines.join('\n');
    const edits = editsFrom([[0, 0, text]]);
    const directory = await mkdtemp(folder.in('store-'));
    await withStore(name, directory, async (store) => {
      await persist(store, 'decompose', edits);
      const { anchorAt, read } = (await loadWay('decompose')).paragraphs!;
      let start = 0;
      for (const line of lines) {
        expect(await read(store, await anchorAt(store, start))).toBe(line);
        start += line.length + 1;
      }
    });
  });
});

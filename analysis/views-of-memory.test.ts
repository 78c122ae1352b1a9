import { expect, test } from 'vitest';
import type { RecordLine } from '../results/formats/records.ts';
import { at, resources, typing } from './test-data/hand-made-trial.ts';
import { user, useTrialFolder } from './test-data/trial-folder.ts';

const { figuresOf } = useTrialFolder();
const memory = (heapMiB: number): RecordLine => ({
  type: 'page-memory',
  atMs: at(25_000),
  heapBytes: heapMiB * 2 ** 20,
});

test('golden: page memory is the mean of all users, and not known where one lacks it', async () => {
  expect((await figuresOf([user(memory(10)), user(memory(20))])).columns).toMatchObject({ userHeapMiB: 15 });
  expect((await figuresOf([user(memory(10)), user()])).columns.userHeapMiB).toBe(null);
});

test('golden: the server’s memory per 1,000 edits, and its loop’s delays, in the window alone', async () => {
  const server = Array.from({ length: 20 }, (_, second): RecordLine[] => [
    resources('server', second * 1000 + 1, { cpuMs: 0, memoryBytes: second * 2048 }),
    {
      type: 'loop-delay',
      atMs: at(second * 1000 + 1),
      delays:
        second < 10
          ? [[1, 99]]
          : [
              [9, 0.5],
              [1, 7],
            ],
    },
  ]).flat();
  // 2 KiB a second for 10 s, by 100 edits.
  const { columns, samples } = await figuresOf([user(typing(12_000, { offered: 100, performed: 100 }))], server);
  expect(columns.serverMemoryKiBPer1000Edits).toBeCloseTo(200, 6);
  expect(samples.serverLoopDelayMs).toHaveLength(100);
  expect([...samples.serverLoopDelayMs!].filter((ms) => ms === 7)).toHaveLength(10);
});

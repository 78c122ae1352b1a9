import { expect, test } from 'vitest';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { writtenOf } from '../../analysis/test-data/written-cell.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { compareRounds, type KeptRounds, keepRounds, type Round, shownToBeEqual } from '../bench/crowd-rounds.ts';
import { crowdBenchesMarkdown } from './crowd-benches.ts';
import { rowsOf } from './test-data/markdown-tables.ts';

const root = folderOfEachTest();
const size = { frameworks: ['yjs'], modes: ['optquill'], userCounts: [8], seconds: 10, trials: 1 };
const cell = writtenOf(syntheticReport(size).cells[0]!);
const valid = (more: Partial<CellSummary>): CellSummary => ({ ...cell, verdict: 'valid', ...more });

/** A crowd's server takes 10 % less CPU, and its states are alike. */
const ROUNDS = [10, 12, 11].map(
  (cpu): Round => ({
    'live crowd': valid({ serverCpuPercent: cpu, savedStateKiB: 5, userHeapMiB: 20 }),
    crowd: valid({ serverCpuPercent: 0.9 * cpu, savedStateKiB: 5, userHeapMiB: null }),
  }),
);
const KEPT: KeptRounds = {
  ...{ startedAt: '2026-12-02T10:00:00.000Z', environment: { cpu: 'AMD EPYC', cores: 2 }, framework: 'yjs' },
  ...{ mode: 'optquill', users: 8, probes: 2, batched: false, rhythm: 'human' },
  ...{ warmUp: '5s', measure: '30s', rounds: ROUNDS },
};

/** Rows of all tables, by their headings. */
async function rows(): Promise<Record<string, string>[]> {
  const [headings, , ...body] = rowsOf(await crowdBenchesMarkdown(root.path));
  return body.map((row) => Object.fromEntries(row.map((text, index) => [headings![index]!, text])));
}

test('a ratio is marked where it is equivalent, and nothing is said where a trial lacks the figure', async () => {
  await keepRounds(KEPT, root.path);
  expect(await rows()).toMatchObject([
    {
      ...{ framework: '`yjs`', rhythm: 'human', 'sender batching': 'no', 'valid rounds': '3 of 3' },
      ...{ 'server CPU, ± 5 %': '0.90 (0.90–0.90) ≠', 'saved state, ± 5 %': '1.00 (1.00–1.00) ✓' },
      'page’s heap, ± 10 %': '–',
    },
  ]);
  const heap = compareRounds(ROUNDS).find(({ name }) => name === 'page’s heap');
  expect(heap).toMatchObject({ means: [20, null], found: null });
});

test('a round with a trial that is not valid does not count', async () => {
  const [first, ...others] = ROUNDS;
  const failed = { ...first!, crowd: { ...first!.crowd, verdict: 'failed' as const } };
  await keepRounds({ ...KEPT, rounds: [failed, ...others] }, root.path);
  expect((await rows()).map((row) => row['valid rounds'])).toEqual(['2 of 3']);
});

test('cells of one way to measure share a table, which tells it', async () => {
  await keepRounds(KEPT, root.path);
  await keepRounds({ ...KEPT, batched: true, startedAt: '2026-12-03T10:00:00.000Z' }, root.path);
  await keepRounds({ ...KEPT, framework: 'loro', measure: '60s' }, root.path);
  const text = (await crowdBenchesMarkdown(root.path)).replaceAll('\n', ' ');
  expect(text.match(/Measured with/g)).toHaveLength(2);
  expect(text).toMatch(
    /with 8 users in optquill, 2 of them probes, beside others live in Node; 5s of warm-up and 30s measured; 2 cores of AMD EPYC, .*; 2 – 3 December 2026:/,
  );
});

/** Page CPU among played users ÷ among live ones, a round each; what else differs is nothing. */
const rounds = (ratios: readonly number[], carried: Partial<CellSummary> = {}): KeptRounds => ({
  ...KEPT,
  rounds: ratios.map((ratio) => ({
    'live crowd': valid({ userCpuPercent: 10 }),
    crowd: valid({ ...carried, userCpuPercent: 10 * ratio }),
  })),
});

test('a figure is equal, not equal or not known, of all ways of measuring together', async () => {
  const wordOf = async (kept: KeptRounds, figure = 'userCpuPercent') => {
    await keepRounds(kept, root.path);
    return (await shownToBeEqual(root.path))('yjs', figure);
  };
  expect(await wordOf(rounds([1.01, 0.99, 1.02, 0.98, 1]))).toBe('equal');
  expect(await wordOf(rounds([1.01, 0.99, 1.02, 0.98, 1]), 'worstUserLongTaskPercent')).toBe('not known');
  expect(await wordOf(rounds([1.4, 0.8, 1.2, 1, 0.9]))).toBe('not known');
  expect(await wordOf(rounds([2, 2.1, 1.9, 2.05, 1.95]))).toBe('not equal');
  // The newest of each way counts, and each must agree.
  expect(await wordOf({ ...rounds([1.01, 0.99, 1.02, 0.98, 1]), startedAt: '2026-12-04T10:00:00.000Z' })).toBe('equal');
  expect(await wordOf({ ...rounds([1.3, 0.9, 1.1, 1, 0.8]), batched: true })).toBe('not known');
  expect(await wordOf({ ...rounds([2, 2.1, 1.9, 2.05, 1.95]), mode: 'noquill' })).toBe('not equal');
  expect(await wordOf({ ...rounds([1, 1, 1]), startedAt: '2026-12-05T10:00:00.000Z' })).toBe('not equal');
  expect((await shownToBeEqual(root.path))('loro', 'userCpuPercent')).toBe('not known');
});

test('of ten figures one is equal only if that holds for all together', () => {
  // Of the page alone its interval would do.
  const unknown = {
    ...{ serverCpuPercent: null, savedStateKiB: null, sigilsBrokenPercent: null, userHeapMiB: null },
    serverNetworkKiBps: { sent: null, received: null },
    localLatencyMs: { ...cell.localLatencyMs, p50: null },
  };
  const compared = compareRounds(rounds([1.05, 0.95, 1.08, 0.94, 1.01], unknown).rounds);
  expect(compared.find(({ name }) => name === 'page CPU')).toMatchObject({
    shown: 'not known',
    found: { isWithin: true },
  });
});

import { expect, test } from 'vitest';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { compareRounds, type KeptRounds, keepRounds, type Round } from '../bench/crowd-rounds.ts';
import { crowdBenchesMarkdown } from './crowd-benches.ts';

const root = folderOfEachTest();
const size = { frameworks: ['yjs'], modes: ['optquill'], userCounts: [8], seconds: 10, trials: 1 };
const cell = syntheticReport(size).cells[0]!.summary;
const valid = (more: Partial<CellSummary>): CellSummary => ({ ...cell, verdict: 'valid', ...more });

/** A crowd's server takes 10 % less CPU, and its states are alike. */
const ROUNDS = [10, 12, 11].map(
  (cpu): Round => ({
    live: valid({ serverCpuPercent: cpu, savedStateKiB: 5 }),
    crowd: valid({ serverCpuPercent: 0.9 * cpu, savedStateKiB: 5 }),
    'slow crowd': valid({ serverCpuPercent: cpu, savedStateKiB: null }),
  }),
);
const KEPT: KeptRounds = {
  ...{ startedAt: '2026-12-02T10:00:00.000Z', environment: { cpu: 'AMD EPYC', cores: 2 }, framework: 'yjs' },
  ...{ mode: 'optquill', users: 8, probes: 2, batched: false, warmUp: '5s', measure: '30s', rounds: ROUNDS },
};

/** Rows of all tables, by their headings. */
async function rows(): Promise<Record<string, string>[]> {
  const lines = (await crowdBenchesMarkdown(root.path)).split('\n').filter((line) => line.startsWith('|'));
  const cells = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((text) => text.trim()),
  );
  const [headings, , ...body] = cells;
  return body.map((row) => Object.fromEntries(row.map((text, index) => [headings![index]!, text])));
}

test('a ratio is marked where it is equivalent, and nothing is said where a trial lacks the figure', async () => {
  await keepRounds(KEPT, root.path);
  expect(await rows()).toMatchObject([
    {
      ...{ framework: '`yjs`', 'sender batching': 'no', crowd: 'prompt', 'valid rounds': '3 of 3' },
      ...{ 'server CPU, ± 5 %': '0.90 (0.90–0.90)', 'saved state, ± 5 %': '1.00 (1.00–1.00) ✓' },
    },
    { crowd: 'slow', 'server CPU, ± 5 %': '1.00 (1.00–1.00) ✓', 'saved state, ± 5 %': '–' },
  ]);
  const compared = compareRounds(ROUNDS, 'slow crowd');
  expect(compared.find(({ name }) => name === 'saved state')).toMatchObject({ live: 5, crowd: null, found: null });
});

test('a round with a trial that is not valid does not count', async () => {
  const [first, ...others] = ROUNDS;
  const failed = { ...first!, crowd: { ...first!.crowd, verdict: 'failed' as const } };
  await keepRounds({ ...KEPT, rounds: [failed, ...others] }, root.path);
  expect((await rows()).map((row) => row['valid rounds'])).toEqual(['2 of 3', '3 of 3']);
});

test('cells of one way to measure share a table, which tells it', async () => {
  await keepRounds(KEPT, root.path);
  await keepRounds({ ...KEPT, batched: true, startedAt: '2026-12-03T10:00:00.000Z' }, root.path);
  await keepRounds({ ...KEPT, framework: 'loro', measure: '60s' }, root.path);
  const text = (await crowdBenchesMarkdown(root.path)).replaceAll('\n', ' ');
  expect(text.match(/Measured with/g)).toHaveLength(2);
  expect(text).toMatch(
    /with 8 users in optquill, 2 of them probes; 5s of warm-up and 30s measured; 2 cores of AMD EPYC, .*; 2 December 2026, 3 December 2026:/,
  );
});

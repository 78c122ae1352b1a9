import * as prng from 'lib0/prng';
import { expect, test } from 'vitest';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { normalDeviates } from '../test-data/normal-deviates.ts';
import type { Comparison } from './compared-run.ts';
import { compareFigure, comparePairedFigure } from './figure-change.ts';
import { describeChange, toGithubActionBenchmark } from './format.ts';

const savedKiB = SCENARIOS.replay.compared.find(({ name }) => name === 'savedKiB')!;
const applyMs = SCENARIOS.replay.compared.find(({ name }) => name === 'applyMs')!;

test('a size that every trial has alike changed if it differs; a time may be rounded', () => {
  const pairs = Array.from({ length: 6 }, () => [100, 120] as const);
  const ci95 = { low: 20, high: 20 };
  expect(comparePairedFigure(savedKiB, pairs)).toMatchObject({ word: 'more', ci95, p: 0, isBetter: false });
  expect(compareFigure(savedKiB, [100, 100, 100], [120, 120, 120])).toMatchObject({ word: 'more', ci95, p: 0 });
  expect(compareFigure(savedKiB, [100, 100, 100], [100, 100, 100])).toMatchObject({
    word: 'no difference found',
    p: 1,
  });
  expect(comparePairedFigure(applyMs, pairs)).toMatchObject({ word: 'too noisy to tell', p: 1 });
});

test('edits that every trial loses alike are lost, by more than the one that chance may add', () => {
  const editsLost = SCENARIOS.kept.compared.find(({ name }) => name === 'editsLost')!;
  const wordOf = (base: number, fresh: number) =>
    compareFigure(editsLost, [base, base, base], [fresh, fresh, fresh]).word;
  expect([wordOf(0, 100), wordOf(2, 50), wordOf(100, 0)]).toEqual(['more', 'more', 'less']);
  expect([wordOf(0, 1), wordOf(5, 5)]).toEqual(['too noisy to tell', 'no difference found']);
  expect(
    comparePairedFigure(
      editsLost,
      [0, 0, 0].map((base) => [base, 100] as const),
    ).word,
  ).toBe('more');
  const quillRatio = SCENARIOS.state.compared.find(({ name }) => name === 'quillRatio')!;
  expect(compareFigure(quillRatio, [1.2, 1.2, 1.2], [1.3, 1.3, 1.3]).word).toBe('more');
});

test('of a base of 0 or less there is no change in percent', () => {
  const connectionMiB = SCENARIOS.memory.compared.find(({ name }) => name === 'connectionMiB')!;
  const noPercent = { changePercent: null, ci95: null };
  const grew = compareFigure(connectionMiB, [-0.021, -0.02, -0.019], [0.201, 0.2, 0.199]);
  expect(grew).toMatchObject({ ...noPercent, word: 'more', isBetter: false });
  expect(compareFigure(connectionMiB, [-0.02, 0.03, -0.04], [0.02, -0.03, 0.01])).toMatchObject({
    ...noPercent,
    word: 'too noisy to tell',
  });
});

test('a count that is better when higher is no share of a hundred', () => {
  const healed = SCENARIOS.kept.compared.find(({ name }) => name === 'healed')!;
  const change = compareFigure(healed, [100, 103, 98], [101, 97, 105]);
  expect(change).toMatchObject({ word: 'no difference found', ci95Unit: '%' });
  expect(describeChange(change)).toMatchObject({ change: '+0.7 %', base: '100' });
  const cell = {
    name: 'x',
    parameters: { framework: 'x' },
    new: { figures: { healed: 20 }, ci95: {} },
    figures: [change],
  };
  const [entry] = toGithubActionBenchmark({ cells: [cell] } as unknown as Comparison);
  expect(entry).toMatchObject({ name: 'x: one over edits healed', unit: '1/edits', value: 0.05 });
});

/** Of figures that spread by a tenth; the share of intervals that hold the true change. */
function coverage(trials: number, changePercent: number): number {
  const normal = normalDeviates(prng.create(trials + changePercent));
  const cpu = { name: 'x', label: 'x', unit: '%', scale: 'linear', better: 'lower' } as const;
  const experiments = 4000;
  const draw = (mean: number) => Array.from({ length: trials }, () => mean * (1 + 0.1 * normal()));
  let covered = 0;
  for (let experiment = 0; experiment < experiments; experiment++) {
    const { ci95 } = compareFigure(cpu, draw(10), draw(10 + changePercent / 10));
    if (ci95!.low <= changePercent && changePercent <= ci95!.high) covered += 1;
  }
  return covered / experiments;
}

test.each([3, 5, 10])(
  'simulated: percent of the base, over %i trials: right of equals, too narrow of what doubles',
  (n) => {
    expect(coverage(n, 0)).toBeGreaterThan(0.94);
    // The 88 to 93 of 100 that docs/analysis.md tells.
    expect(coverage(n, 100)).toBeGreaterThan(0.87);
    expect(coverage(n, 100)).toBeLessThan(0.94);
  },
);

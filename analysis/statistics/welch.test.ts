import * as prng from 'lib0/prng';
import { expect, test } from 'vitest';
import { normalDeviates } from '../test-data/normal-deviates.ts';
import { areEquivalent, compareMeans } from './welch.ts';

const EXPERIMENTS = 12_000;

/**
 * Trials' medians on the log scale are nearly normal, whatever the samples (see interval.test.ts); here a new version is
 * 1.3 times as slow, and its trials may spread differently.
 */
function coverage(trials: { base: number; new: number }, spread: { base: number; new: number }): number {
  const normal = normalDeviates(prng.create(trials.base * 100 + trials.new));
  const group = (count: number, centre: number, deviation: number) =>
    Array.from({ length: count }, () => centre * Math.exp(deviation * normal()));
  let covered = 0;
  for (let experiment = 0; experiment < EXPERIMENTS; experiment++) {
    const base = group(trials.base, 80, spread.base);
    const { ci95 } = compareMeans(base, group(trials.new, 104, spread.new), 'log')!;
    if (ci95!.low <= 1.3 && 1.3 <= ci95!.high) covered += 1;
  }
  return covered / EXPERIMENTS;
}

test.each([3, 5, 10])(
  'simulated: over %i trials each, equally spread, the truth is covered in 95 ± 1.5 of 100',
  (n) => {
    // With three trials Welch's degrees of freedom are themselves estimated badly, which errs on the safe side.
    const seen = coverage({ base: n, new: n }, { base: 0.3, new: 0.3 });
    expect(seen).toBeGreaterThan(0.94);
    expect(seen).toBeLessThan(0.97);
  },
);

test('simulated: the same with five trials against ten, and with three times the spread', () => {
  const seen = [
    coverage({ base: 5, new: 10 }, { base: 0.3, new: 0.3 }),
    coverage({ base: 5, new: 5 }, { base: 0.1, new: 0.3 }),
    coverage({ base: 10, new: 5 }, { base: 0.1, new: 0.3 }),
  ];
  for (const each of seen) {
    expect(each).toBeGreaterThan(0.94);
    expect(each).toBeLessThan(0.97);
  }
});

test('golden: equal spreads on both scales', () => {
  // Means 4 and 14, both variances 4: standard error √(4/3 + 4/3) = 1.63299, 4 degrees of freedom, t = 2.77645.
  const linear = compareMeans([2, 4, 6], [12, 14, 16], 'linear')!;
  expect(linear.estimate).toBe(10);
  expect(linear.ci95!.low).toBeCloseTo(10 - 4.53391, 4);
  expect(linear.ci95!.high).toBeCloseTo(10 + 4.53391, 4);
  // Logarithms ln 20 and ln 200, deviations ln 2: ratio 10; error ln 2 · √(2/3) = 0.565952, times 2.77645 = 1.571337.
  const log = compareMeans([10, 20, 40], [100, 200, 400], 'log')!;
  expect(log.estimate).toBeCloseTo(10, 9);
  expect(log.ci95!.low).toBeCloseTo(10 * Math.exp(-1.571337), 3);
  expect(log.ci95!.high).toBeCloseTo(10 * Math.exp(1.571337), 2);
});

test('golden: unequal spreads have degrees of freedom between whole numbers', () => {
  // Variances 4 and 100, over 3: 1.3333 and 33.3333. Degrees (34.6667)² / (1.3333² / 2 + 33.3333² / 2) = 2.159723.
  // t(2) = 4.30265, t(3) = 3.18245; share (1/2 - 1/2.159723) / (1/2 - 1/3) = 0.221866: t = 4.054103.
  const { ci95 } = compareMeans([2, 4, 6], [10, 20, 30], 'linear')!;
  expect(ci95!.high - 16).toBeCloseTo(4.054103 * Math.sqrt(34.666667), 3);
});

test('without spread the interval is a point; with too few trials there is none; without figures, nothing', () => {
  expect(compareMeans([100, 100, 100], [100, 100, 100], 'linear')).toEqual({
    estimate: 0,
    ci95: { low: 0, high: 0 },
    p: 1,
  });
  expect(compareMeans([1, 2], [1, 2, 3], 'linear')).toEqual({ estimate: 0.5, ci95: null, p: null });
  expect(compareMeans([], [1, 2, 3], 'linear')).toBeNull();
  expect(compareMeans([0, 1, 2], [1, 2, 3], 'log')).toBeNull();
});

test.each(['linear', 'log'] as const)('equal figures of unequal counts do not differ on the %s scale', (scale) => {
  for (const figure of [0.137, 99.97, 123.456]) {
    const { ci95, p } = compareMeans(Array(3).fill(figure), Array(10).fill(figure), scale)!;
    const none = scale === 'log' ? 1 : 0;
    expect([ci95, p]).toEqual([{ low: none, high: none }, 1]);
  }
});

test('a change is found alike, however small the unit makes its figures', () => {
  const [base, fresh] = [
    [0.98, 1.02, 1, 0.97, 1.03],
    [1.29, 1.27, 1.34, 1.3, 1.31],
  ] as const;
  const ofUnit = (unit: number) =>
    compareMeans(
      base.map((each) => each * unit),
      fresh.map((each) => each * unit),
      'log',
    )!.p;
  expect(ofUnit(1)).toBeLessThan(0.001);
  for (const unit of [1e-6, 0.002, 0.01, 1000]) expect(ofUnit(unit)).toBeCloseTo(ofUnit(1)!, 9);
});

test('golden: the interval of the ratio is that of 90 %, from the differences of the logarithms', () => {
  // ln ratios 0, 0.02, 0.04: mean 0.02, standard error 0.02 / √3; t(0.95, 2) = 2.919986.
  const pairs = [0, 0.02, 0.04].map((log): [number, number] => [10, 10 * Math.exp(log)]);
  const found = areEquivalent(pairs, 0.1)!;
  expect(found.ratio).toBeCloseTo(Math.exp(0.02), 10);
  expect(Math.log(found.high)).toBeCloseTo(0.02 + (2.919986 * 0.02) / Math.sqrt(3), 5);
  expect(found.isWithin).toBe(true);
  expect(areEquivalent(pairs, 0.05)!.isWithin).toBe(false);
});

test('what is not known is not equivalent', () => {
  expect(areEquivalent([[1, 1]], 0.1)).toBe(null);
  expect(
    areEquivalent(
      [
        [1, 1],
        [1, Number.NaN],
      ],
      0.1,
    ),
  ).toBe(null);
});

test('where the truth lies at the bound, equivalence is claimed in 1 of 20 cases', () => {
  let claimed = 0;
  const runs = 4000;
  let seed = 1;
  const uniform = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (seed + 0.5) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  for (let run = 0; run < runs; run++) {
    const pairs = Array.from({ length: 5 }, (): [number, number] => [1, 1.05 * Math.exp(0.005 * normal())]);
    const { isWithin, pWithin } = areEquivalent(pairs, 0.05)!;
    expect(pWithin < 0.05).toBe(isWithin);
    if (isWithin) claimed++;
  }
  expect(claimed / runs).toBeGreaterThan(0.03);
  expect(claimed / runs).toBeLessThan(0.07);
});

import * as prng from 'lib0/prng';
import { beforeAll, describe, expect, test } from 'vitest';
import { normalDeviates } from '../test-data/normal-deviates.ts';
import { centralProbability, criticalValue, fitLine, fitPowerLaw, interval95 } from './interval.ts';
import { quantile } from './quantile.ts';

const EXPERIMENTS = 12_000;
/** With so many experiments, a coverage of 95 % is seen as 95 % ± 0.4 % (two standard errors). */
const TOLERANCE = 0.01;
const SAMPLES_PER_TRIAL = 25;

/** As many as a 95th percentile needs. */
const SAMPLES_PER_TAIL = 59;

/**
 * One trial's latency quantile. Its samples are lognormal, so skewed; consecutive ones are correlated (0.7); and the
 * whole trial is slower or faster by a factor that is lognormal too. The median of all trials' medians is 80 ms.
 */
function trialQuantile(normal: () => number, sampleCount: number, p: number): number {
  const trialEffect = 0.3 * normal();
  const samples = new Float64Array(sampleCount);
  let noise = normal();
  for (let index = 0; index < samples.length; index++) {
    samples[index] = 80 * Math.exp(trialEffect + 0.8 * noise);
    noise = 0.7 * noise + Math.sqrt(1 - 0.7 ** 2) * normal();
  }
  return quantile(samples.sort(), p);
}

type IntervalOf = (figures: number[]) => { low: number; high: number } | null;

function coverage(trials: number, truth: number, figureOf: (normal: () => number) => number, intervalOf: IntervalOf) {
  const normal = normalDeviates(prng.create(trials));
  let covered = 0;
  for (let experiment = 0; experiment < EXPERIMENTS; experiment++) {
    const interval = intervalOf(Array.from({ length: trials }, () => figureOf(normal)))!;
    if (interval.low <= truth && truth <= interval.high) covered += 1;
  }
  return covered / EXPERIMENTS;
}

const median = (normal: () => number) => trialQuantile(normal, SAMPLES_PER_TRIAL, 0.5);

test.each([3, 5, 10])('simulated: the interval over %i trials covers the truth 95 times in 100', (trials) => {
  const seen = coverage(trials, 80, median, (figures) => interval95(figures, 'log'));
  expect(seen).toBeGreaterThan(0.95 - TOLERANCE);
  expect(seen).toBeLessThan(0.95 + TOLERANCE);
});

const p95 = (normal: () => number) => trialQuantile(normal, SAMPLES_PER_TAIL, 0.95);

/** The centre of what trials give, known to 0.2 % from so many of them (their logarithms spread by about 0.4). */
let centreOfP95: number;
beforeAll(() => {
  const normal = normalDeviates(prng.create(1));
  let logarithms = 0;
  for (let trial = 0; trial < 40_000; trial++) logarithms += Math.log(p95(normal));
  centreOfP95 = Math.exp(logarithms / 40_000);
});

test.each([3, 5, 10])('simulated: the same for the 95th percentile over %i trials', (trials) => {
  const seen = coverage(trials, centreOfP95, p95, (figures) => interval95(figures, 'log'));
  expect(seen).toBeGreaterThan(0.95 - TOLERANCE);
  expect(seen).toBeLessThan(0.95 + TOLERANCE);
});

describe('simulated: the linear scale', () => {
  const linear = (trials: number, truth: number, figureOf: (normal: () => number) => number) =>
    coverage(trials, truth, figureOf, (figures) => interval95(figures, 'linear'));
  /** A trial loses 1 % of its edits, give or take a factor that is lognormal; in the mean 1 % · e^(0.8² / 2). */
  const losing = (normal: () => number) => 100 - Math.exp(0.8 * normal());
  const MEAN_LOSS = Math.exp(0.8 ** 2 / 2);

  test.each([3, 5, 10])('figures that spread evenly by a tenth, such as CPU: right over %i trials', (trials) => {
    const seen = linear(trials, 50, (normal) => 50 + 5 * normal());
    expect(seen).toBeGreaterThan(0.95 - TOLERANCE);
    expect(seen).toBeLessThan(0.95 + TOLERANCE);
  });

  test.each([3, 5, 10])('throughput where every trial loses some edits: too narrow over %i trials', (trials) => {
    const seen = linear(trials, 100 - MEAN_LOSS, losing);
    expect(seen).toBeGreaterThan(0.85);
    expect(seen).toBeLessThan(0.9);
  });

  test.each([
    [3, 0.6],
    [5, 0.72],
    [10, 0.78],
  ])('throughput where seven of ten trials lose none: far too narrow over %i trials', (trials, least) => {
    // -0.5244 is the deviate that three of ten lie below.
    const seen = linear(trials, 100 - 0.3 * MEAN_LOSS, (normal) => (normal() < -0.5244 ? losing(normal) : 100));
    expect(seen).toBeGreaterThan(least);
    expect(seen).toBeLessThan(least + 0.05);
  });
});

test('golden: Student’s t on both scales', () => {
  // Mean 4, standard deviation 2, t(2) = 4.3027: 4 ± 4.3027 · 2 / √3 = 4 ± 4.968.
  const linear = interval95([2, 4, 6], 'linear')!;
  expect(linear.low).toBeCloseTo(-0.968, 3);
  expect(linear.high).toBeCloseTo(8.968, 3);
  // Logarithms to base 10 are 1, 2, 3, so 2 ± 4.3027 / √3 = 2 ± 2.4842: 10^-0.4842 and 10^4.4842.
  const log = interval95([10, 100, 1000], 'log')!;
  expect(log.low).toBeCloseTo(10 ** -0.4842, 3);
  expect(log.high / 10 ** 4.4842).toBeCloseTo(1, 3);
});

test('too few trials, and zeros on the log scale, have no interval', () => {
  expect(interval95([1, 2], 'linear')).toBeNull();
  expect(interval95([0, 1, 2], 'log')).toBeNull();
  expect(interval95([5, 5, 5], 'linear')).toEqual({ low: 5, high: 5 });
});

test('golden: critical values as printed tables have them', () => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2, column 0.975.
  const printed = new Map([
    [1, 12.706],
    [2, 4.303],
    [3, 3.182],
    [4, 2.776],
    [5, 2.571],
    [9, 2.262],
    [30, 2.042],
    [100, 1.984],
  ]);
  for (const [degrees, value] of printed) expect(criticalValue(0.95, degrees)).toBeCloseTo(value, 3);
  expect(criticalValue(0.99, 4)).toBeCloseTo(4.604, 3);
});

test('golden: one degree of freedom is the Cauchy distribution, two have a closed form', () => {
  // P(|T| <= 1) = (2/pi) atan(1) = 1/2; with two degrees P(|T| <= t) = t / sqrt(2 + t^2), at 1: 1/sqrt(3).
  expect(centralProbability(1, 1)).toBeCloseTo(0.5, 12);
  expect(centralProbability(1, 2)).toBeCloseTo(1 / Math.sqrt(3), 12);
  expect(centralProbability(0, 7)).toBe(0);
});

test('degrees of freedom and confidence must make sense', () => {
  expect(() => centralProbability(1, 0)).toThrow(RangeError);
  expect(() => centralProbability(1, 2.5)).toThrow(RangeError);
  expect(() => criticalValue(1, 3)).toThrow(/between 0 and 1/);
});

describe('worked out by hand', () => {
  test('points on a line: its exponent, and no width', () => {
    const points = [2, 4, 8].map((x) => ({ x, y: 5 * x ** 3 }));
    const { exponent, interval } = fitPowerLaw(points)!;
    expect(exponent).toBeCloseTo(3, 12);
    expect(interval.low).toBeCloseTo(3, 6);
    expect(interval.high).toBeCloseTo(3, 6);
  });

  test('with what the points leave over', () => {
    // In powers of 2, x is 0, 1, 2 and y 0, 1, 3: slope 3/2, left over 1/36 + 4/36 + 1/36 = 1/6 with one degree of
    // freedom, spread 2: standard error √(1/12) = 0.288675; t of 1 degree is 12.7062.
    const { exponent, interval } = fitPowerLaw([
      { x: 1, y: 1 },
      { x: 2, y: 2 },
      { x: 4, y: 8 },
    ])!;
    expect(exponent).toBeCloseTo(1.5, 12);
    expect(interval.low).toBeCloseTo(1.5 - 12.7062 * 0.288675, 3);
    expect(interval.high).toBeCloseTo(1.5 + 12.7062 * 0.288675, 3);
  });

  test('trials of one count are points of their own', () => {
    // In powers of 2: x 0, 0, 1, 1, 2, 2 and y ∓1 about 0, 2, 4: slope 2, left over 6 with four degrees, spread 4:
    // standard error √(6/4/4) = 0.612372; t of 4 degrees is 2.77645.
    const points = [0, 1, 2].flatMap((log) => [-1, 1].map((off) => ({ x: 2 ** log, y: 2 ** (2 * log + off) })));
    const { exponent, interval } = fitPowerLaw(points)!;
    expect(exponent).toBeCloseTo(2, 12);
    expect(interval.high - interval.low).toBeCloseTo(2 * 2.77645 * 0.612372, 4);
  });
});

test('a line through two points has no interval, and one through points at one place no slope', () => {
  const points = [0, 100].map((x) => ({ x, y: 3 + x / 4 }));
  expect(fitLine(points)).toEqual({ start: 3, slope: 0.25, interval: null });
  expect(fitLine(points.map(({ y }) => ({ x: 1, y })))).toBe(null);
  const { slope, interval } = fitLine([...points, { x: 0, y: 4 }, { x: 100, y: 29 }])!;
  expect(slope).toBeCloseTo(0.25, 12);
  // Left over 1 with two degrees of freedom, spread 10,000: standard error √(1/2/10,000); t of 2 degrees is 4.30265.
  expect(interval!.high - interval!.low).toBeCloseTo(2 * 4.30265 * Math.sqrt(1 / 2 / 10_000), 5);
});

test('a point with the weight of two counts as two', () => {
  const [a, b, c] = [
    { x: 0, y: 1 },
    { x: 2, y: 4 },
    { x: 4, y: 5 },
  ] as const;
  const weighted = fitLine([a, { ...b, weight: 2 }, c])!;
  const twice = fitLine([a, b, b, c])!;
  expect(weighted.slope).toBeCloseTo(twice.slope, 12);
  expect(weighted.start).toBeCloseTo(twice.start, 12);
});

test('fewer than three different counts give none, nor do figures of 0', () => {
  const points = [2, 2, 2, 4, 4].map((x) => ({ x, y: x }));
  expect(fitPowerLaw(points)).toBe(null);
  expect(fitPowerLaw([...points, { x: 8, y: 0 }])).toBe(null);
  expect(fitPowerLaw([...points, { x: 8, y: 8 }])!.exponent).toBeCloseTo(1, 12);
  expect(fitPowerLaw([])).toBe(null);
});

test('the interval holds the truth as often as it says', () => {
  const draw = normalDeviates(prng.create(7));
  const runs = 4000;
  let holding = 0;
  for (let run = 0; run < runs; run++) {
    const points = [8, 8, 8, 16, 16, 16, 32, 32, 32].map((x) => ({ x, y: 3 * x ** 2 * Math.exp(0.2 * draw()) }));
    const { low, high } = fitPowerLaw(points)!.interval;
    if (low <= 2 && 2 <= high) holding++;
  }
  expect(holding / runs).toBeGreaterThan(0.94);
  expect(holding / runs).toBeLessThan(0.96);
});

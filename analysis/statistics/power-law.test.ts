import * as prng from 'lib0/prng';
import { describe, expect, test } from 'vitest';
import { normalDeviates } from '../test-data/normal-deviates.ts';
import { fitPowerLaw } from './power-law.ts';

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

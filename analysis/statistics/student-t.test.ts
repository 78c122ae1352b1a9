import { expect, test } from 'vitest';
import { centralProbability, criticalValue } from './interval.ts';

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

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasEnoughSamples, neededSamples, quantile, quantileOrNull } from './quantile.ts';

test('golden: type 7 interpolates between the closest ranks', () => {
  // Ranks run from 0 to n-1. Of [10, 20, 40], p = 0.75 is rank 1.5: halfway from 20 to 40.
  expect(quantile([10, 20, 40], 0.75)).toBe(30);
  expect(quantile([10, 20, 40], 0.5)).toBe(20);
  expect(quantile([10, 20, 40], 0)).toBe(10);
  expect(quantile([10, 20, 40], 1)).toBe(40);
  // p = 0.95 of 0..20 is rank 19.
  expect(
    quantile(
      Float64Array.from({ length: 21 }, (_, index) => index),
      0.95,
    ),
  ).toBe(19);
  expect(quantile([7], 0.3)).toBe(7);
});

test('a quantile lies within the samples and grows with p', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (samples, p, q) => {
        const sorted = samples.toSorted((a, b) => a - b);
        const [low, high] = [quantile(sorted, Math.min(p, q)), quantile(sorted, Math.max(p, q))];
        expect(low).toBeGreaterThanOrEqual(sorted[0]!);
        expect(high).toBeLessThanOrEqual(sorted.at(-1)!);
        expect(high - low).toBeGreaterThanOrEqual(-1e-9);
      },
    ),
  );
});

test('no samples and no probability are refused', () => {
  expect(() => quantile([], 0.5)).toThrow(RangeError);
  expect(() => quantile([1], 1.5)).toThrow(/\[0, 1\]/);
  expect(() => quantile([1], Number.NaN)).toThrow(RangeError);
});

test('golden: samples that a percentile needs', () => {
  // 2 · 0.5^6 = 0.031, 2 · 0.5^5 = 0.063; 0.95^59 = 0.0485, 0.95^58 = 0.0510; 0.99^299 = 0.0495, 0.99^298 = 0.0500+.
  expect([0.5, 0.95, 0.99].map(neededSamples)).toEqual([6, 59, 299]);
  expect(hasEnoughSamples(0, 0.5)).toBe(false);
  expect(quantileOrNull(new Array(58).fill(1), 0.95)).toBeNull();
  expect(quantileOrNull(new Array(59).fill(1), 0.95)).toBe(1);
});

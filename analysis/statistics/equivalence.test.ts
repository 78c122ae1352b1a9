import { expect, test } from 'vitest';
import { areEquivalent } from './welch.ts';

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
    if (areEquivalent(pairs, 0.05)!.isWithin) claimed++;
  }
  expect(claimed / runs).toBeGreaterThan(0.03);
  expect(claimed / runs).toBeLessThan(0.07);
});

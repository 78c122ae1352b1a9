/** How often a comparison of equals finds a difference: the false findings that its words promise, simulated. */
import * as prng from 'lib0/prng';
import { describe, expect, test } from 'vitest';
import { normalDeviates } from '../test-data/normal-deviates.ts';
import { areFindings, compareMeans, comparePairs, type Difference } from './welch.ts';

const EXPERIMENTS = 12_000;
/** Two standard errors of a share near 5 %, with so many experiments, and a little. */
const TOLERANCE = 0.006;
/** The chance deviation of a trial, on the log scale. */
const TRIAL_SPREAD = 0.1;

function shareOf(seed: number, isFalse: (normal: () => number) => boolean, experiments = EXPERIMENTS): number {
  const normal = normalDeviates(prng.create(seed));
  let count = 0;
  for (let experiment = 0; experiment < experiments; experiment++) if (isFalse(normal)) count += 1;
  return count / experiments;
}

const excludesOne = ({ ci95 }: Difference) => ci95!.low > 1 || ci95!.high < 1;

/** Equal versions; each run is slower or faster as a whole, by a factor of its own. */
function apart(normal: () => number, trials: number, runSpread: number): Difference {
  const run = () => {
    const effect = runSpread * normal();
    return Array.from({ length: trials }, () => 80 * Math.exp(effect + TRIAL_SPREAD * normal()));
  };
  return compareMeans(run(), run(), 'log')!;
}

/** Equal versions in one run, which drifts: each pair is slower or faster by a factor, and slows as the run goes on. */
function interleaved(normal: () => number, pairs: number, drift: number): Difference {
  const figure = (pair: number, effect: number) => 80 * Math.exp(effect + drift * pair + TRIAL_SPREAD * normal());
  return comparePairs(
    Array.from({ length: pairs }, (_, pair) => {
      const effect = drift * normal();
      return [figure(pair, effect), figure(pair, effect)] as const;
    }),
    'log',
  )!;
}

describe('simulated: equals are found to differ', () => {
  test.each([3, 6, 10])('in pairs: 5 of 100 times over %i pairs, however much the run drifts', (pairs) => {
    for (const drift of [0, TRIAL_SPREAD, 3 * TRIAL_SPREAD]) {
      const seen = shareOf(pairs, (normal) => excludesOne(interleaved(normal, pairs, drift)));
      expect(seen).toBeGreaterThan(0.05 - TOLERANCE);
      expect(seen).toBeLessThan(0.05 + TOLERANCE);
    }
  });

  test('in one process: always if the first has an advantage in each trial, 5 of 100 times if they change places', () => {
    const [advantage, spread] = [0.03, 0.01];
    const falseClaims = (isFirst: (trial: number) => boolean) =>
      shareOf(6, (normal) => {
        const figure = (isInFront: boolean) => 80 * Math.exp((isInFront ? -advantage : 0) + spread * normal());
        const pairs = Array.from(
          { length: 6 },
          (_, trial) => [figure(isFirst(trial)), figure(!isFirst(trial))] as const,
        );
        return excludesOne(comparePairs(pairs, 'log')!);
      });
    expect(falseClaims(() => true)).toBeGreaterThan(0.9);
    expect(falseClaims((trial) => trial % 2 === 0)).toBeLessThan(0.05);
  });

  test.each([3, 6])(
    'of figures in steps: 6 of 100 times at most over %i pairs, however little they spread',
    (pairs) => {
      const step = 8;
      /** They differ by a hundredth of a step, which may lie just where figures are rounded up. */
      const draw = (normal: () => number, spread: number) => {
        const base = 80 + step * Math.abs(normal());
        const figure = (value: number) => step * Math.round((value + step * spread * normal()) / step);
        return Array.from({ length: pairs }, () => [figure(base), figure(base + 0.01 * step)] as const);
      };
      for (const spread of [0, 0.1, 0.3]) {
        for (const isPaired of [true, false]) {
          const isFalse = (normal: () => number) => {
            const drawn = draw(normal, spread);
            const [base, fresh] = [drawn.map(([figure]) => figure), drawn.map(([, figure]) => figure)];
            return excludesOne(isPaired ? comparePairs(drawn, 'log')! : compareMeans(base, fresh, 'log')!);
          };
          // Figures of two or three values are not normal: of those, Student's t makes up to 5.8.
          expect(shareOf(pairs, isFalse, 4000)).toBeLessThan(0.06 + TOLERANCE);
        }
      }
    },
  );

  test('in runs made apart: more often, the more that runs differ', () => {
    const seen = [0, 1, 2].map((times) =>
      shareOf(3, (normal) => excludesOne(apart(normal, 3, times * TRIAL_SPREAD))),
    ) as [number, number, number];
    expect(seen[0]).toBeLessThan(0.05);
    // The 18.5 and 43 of 100 that docs/analysis.md tells.
    expect(seen[1]).toBeGreaterThan(0.185 - 2 * TOLERANCE);
    expect(seen[1]).toBeLessThan(0.185 + 2 * TOLERANCE);
    expect(seen[2]).toBeGreaterThan(0.43 - 2 * TOLERANCE);
    expect(seen[2]).toBeLessThan(0.43 + 2 * TOLERANCE);
  });

  test('among 128 figures at once: hardly ever one of them, where one by one gives six', () => {
    let oneByOne = 0;
    const experiments = 500;
    const normal = normalDeviates(prng.create(8));
    let withFalse = 0;
    for (let experiment = 0; experiment < experiments; experiment++) {
      const ps = Array.from({ length: 128 }, () => interleaved(normal, 6, TRIAL_SPREAD).p!);
      oneByOne += ps.filter((p) => p < 0.05).length;
      if (areFindings(ps).includes(true)) withFalse += 1;
    }
    expect(oneByOne / experiments).toBeGreaterThan(5.5);
    expect(oneByOne / experiments).toBeLessThan(7.5);
    // 5 % with a standard error of 1 %.
    expect(withFalse / experiments).toBeLessThan(0.08);
  });
});

test('golden: Holm steps down, and stops at the first that fails', () => {
  // Bounds, ascending: 0.0125, 0.0167, 0.025, 0.05.
  expect(areFindings([0.03, 0.01, 0.04, 0.014])).toEqual([false, true, false, true]);
  // 0.02 fails at 0.0167, so what comes after it does too, though 0.049 is below 0.05.
  expect(areFindings([0.01, 0.02, 0.02, 0.049])).toEqual([true, false, false, false]);
  expect(areFindings([])).toEqual([]);
});

test('golden: pairs on both scales', () => {
  // Differences 1, 2, 3: mean 2, error 1 / √3, t(2) = 4.30265.
  const linear = comparePairs(
    [
      [10, 11],
      [20, 22],
      [5, 8],
    ],
    'linear',
  )!;
  expect(linear.estimate).toBe(2);
  expect(linear.ci95!.low).toBeCloseTo(2 - 4.30265 / Math.sqrt(3), 4);
  // t = 3.4641 with 2 degrees of freedom: 1 - t / √(t² + 2) = 0.07418.
  expect(linear.p).toBeCloseTo(0.07418, 5);
  const log = comparePairs(
    [
      [10, 20],
      [100, 200],
      [1, 2],
    ],
    'log',
  )!;
  expect(log.estimate).toBeCloseTo(2, 12);
  expect(comparePairs([[0, 1]], 'log')).toBeNull();
  expect(comparePairs([], 'linear')).toBeNull();
  expect(
    comparePairs(
      [
        [1, 2],
        [2, 3],
      ],
      'linear',
    ),
  ).toEqual({ estimate: 1, ci95: null, p: null });
});

test('golden: equal differences of a single step are no finding, those of three are a weak one', () => {
  const equal = (difference: number) =>
    comparePairs(
      [8, 16, 24].map((base) => [base, base + difference]),
      'linear',
    )!;
  expect(equal(8)).toMatchObject({ estimate: 8, p: 1 });
  // Beyond one step of blur 16 are left, over √(8² / 6 / 3): t = 8.49 with 2 degrees of freedom.
  expect(equal(24).p).toBeCloseTo(0.0136, 4);
  expect(
    comparePairs(
      [
        [8, 8],
        [8, 8],
        [8, 8],
      ],
      'linear',
    ),
  ).toEqual({ estimate: 0, ci95: { low: 0, high: 0 }, p: 1 });
});

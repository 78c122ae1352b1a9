import * as prng from 'lib0/prng';
import { expect, test } from 'vitest';
import { interval95 } from './interval.ts';
import { quantile } from './quantile.ts';

const EXPERIMENTS = 12_000;
/** With so many experiments, a coverage of 95 % is seen as 95 % ± 0.4 % (two standard errors). */
const TOLERANCE = 0.01;
const SAMPLES_PER_TRIAL = 25;

/** Two normal deviates at a time (Box and Muller 1958). */
function normalDeviates(seed: number): () => number {
  const generator = prng.create(seed);
  const random = () => prng.real53(generator);
  let spare: number | null = null;
  return () => {
    if (spare !== null) {
      const deviate = spare;
      spare = null;
      return deviate;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

/**
 * One trial's median latency. Its samples are lognormal, so skewed; consecutive ones are correlated (0.7); and the whole
 * trial is slower or faster by a factor that is lognormal too. The median of all trials' medians is 80 ms.
 */
function trialMedian(normal: () => number): number {
  const trialEffect = 0.3 * normal();
  const samples = new Float64Array(SAMPLES_PER_TRIAL);
  let noise = normal();
  for (let index = 0; index < samples.length; index++) {
    samples[index] = 80 * Math.exp(trialEffect + 0.8 * noise);
    noise = 0.7 * noise + Math.sqrt(1 - 0.7 ** 2) * normal();
  }
  return quantile(samples.sort(), 0.5);
}

function coverage(trials: number, intervalOf: (figures: number[]) => { low: number; high: number } | null): number {
  const normal = normalDeviates(trials);
  let covered = 0;
  for (let experiment = 0; experiment < EXPERIMENTS; experiment++) {
    const interval = intervalOf(Array.from({ length: trials }, () => trialMedian(normal)))!;
    if (interval.low <= 80 && 80 <= interval.high) covered += 1;
  }
  return covered / EXPERIMENTS;
}

test.each([3, 5, 10])('simulated: the interval over %i trials covers the truth 95 %% of the time', (trials) => {
  const seen = coverage(trials, (figures) => interval95(figures, 'log'));
  expect(seen).toBeGreaterThan(0.95 - TOLERANCE);
  expect(seen).toBeLessThan(0.95 + TOLERANCE);
});

test('simulated: a percentile bootstrap over 3 trials, which this is not, covers far less', () => {
  const seen = coverage(3, (figures) => {
    // All 27 resamples of three, rather than some of them by chance.
    const means = figures.flatMap((a) => figures.flatMap((b) => figures.map((c) => (a + b + c) / 3)));
    means.sort((a, b) => a - b);
    return { low: quantile(means, 0.025), high: quantile(means, 0.975) };
  });
  expect(seen).toBeLessThan(0.85);
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

import { expect, test } from 'vitest';
import { parseThreshold } from '../../analysis/compare/threshold.ts';
import { type Gate, leastFoundPercent } from './ci-power.ts';

const gate = (text: string, rounds: number, cells = 1): Gate => ({ threshold: parseThreshold(text), rounds, cells });
const leastOf = (one: Gate, more: Gate[], spread: number) => leastFoundPercent(one, [one, ...more], spread);

test('golden: one test of ten rounds finds 0.85 standard deviations four times of five', () => {
  // Noncentral t with 9 degrees of freedom, one-sided 5 %: exp(0.1 × 0.85) is 8.9 % more.
  const least = leastOf(gate('userCpuPercent > +0%', 10), [], 0.1);
  expect(least).toBeGreaterThanOrEqual(8);
  expect(least).toBeLessThanOrEqual(10);
});

test('more gates and fewer rounds find less, and nothing below its threshold counts', () => {
  const few = leastOf(gate('userCpuPercent > +20%', 3, 3), [gate('localLatencyMs.p50 > +30%', 3, 3)], 0.1);
  const many = leastOf(gate('userCpuPercent > +20%', 5, 2), [gate('localLatencyMs.p50 > +30%', 5, 2)], 0.1);
  expect(few).toBeGreaterThan(2 * many);
  expect(many).toBeGreaterThan(20);
  expect(leastOf(gate('throughputPercent < -10%', 6), [], 0.001)).toBe(12);
});

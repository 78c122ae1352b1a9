import { expect, test } from 'vitest';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { compareFigure, comparePairedFigure } from './figure-change.ts';

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

import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const KEYS = ['warmUp', 'measure', 'profile', 'settle', 'sigilPeriod'];

test.each([
  ['warmup', 'warmUp'],
  ['warm_up', 'warmUp'],
  ['mesure', 'measure'],
  ['settel', 'settle'],
  ['sigil-periods', 'sigilPeriod'],
])('%s is meant to be %s', (word, meant) => {
  expect(nearest(word, KEYS)).toBe(meant);
});

test('nothing is offered for a word unlike all of them', () => {
  expect(nearest('browser', KEYS)).toBeNull();
  expect(nearest('', KEYS)).toBeNull();
});

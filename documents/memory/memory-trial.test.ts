import { expect, test } from 'vitest';
import { givenBackMs } from './memory-trial.ts';

test('memory is given back when nine tenths are of what was in the end', () => {
  expect(givenBackMs({ x: [0, 1, 2, 5], y: [100, 60, 22, 20] })).toBe(2000);
  expect(givenBackMs({ x: [0, 1], y: [100, 100] })).toBeNull();
  expect(givenBackMs({ x: [], y: [] })).toBeNull();
});

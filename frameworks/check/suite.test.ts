import { expect, test } from 'vitest';
import type { Outcome } from '../explore/kept-worlds.ts';
import { sayResult } from './suite.ts';

test.each([
  [['holds', 'holds', 'fails'], '2 hold, 1 fails'],
  [['holds', 'fails', 'fails', 'known issue', 'not supported'], '1 holds, 2 fail, 1 known issue, 1 not supported'],
] as [Outcome[], string][])('%j reads as English', (outcomes, said) => {
  const findings = outcomes.map((outcome) => ({ property: '', outcome, message: null }));
  expect(sayResult({ findings })).toBe(said);
});

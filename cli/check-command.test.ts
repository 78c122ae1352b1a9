import { expect, test } from 'vitest';
import type { Outcome } from '../frameworks/check/conformance.ts';
import { checkCapabilities, sayResult } from './check-command.ts';

test('a library without programs is refused before anything runs, also where outcomes shall be kept', async () => {
  const refusal = 'there are no programs for "word"; write of: yjs';
  await expect(checkCapabilities(['word'], {})).rejects.toThrow(refusal);
  await expect(checkCapabilities(['yjs', 'word'], { keep: true })).rejects.toThrow(refusal);
});

test.each([
  [['holds', 'holds', 'fails'], '2 hold, 1 fails'],
  [['holds', 'fails', 'fails', 'known issue', 'not supported'], '1 holds, 2 fail, 1 known issue, 1 not supported'],
] as [Outcome[], string][])('%j reads as English', (outcomes, said) => {
  const findings = outcomes.map((outcome) => ({ property: '', outcome, message: null }));
  expect(sayResult({ findings })).toBe(said);
});

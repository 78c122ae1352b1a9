import { expect, test } from 'vitest';
import { PLANNED } from '../../tests/runs.ts';
import type { Outcome } from './search.ts';
import { triedIn } from './unrecorded.ts';

const attempt = (outcome: Outcome, isUnrecorded = false) => ({ planned: PLANNED, outcome, isUnrecorded });
const outcomes = (...attempts: ReturnType<typeof attempt>[]) => triedIn(attempts, {}).map(({ outcome }) => outcome);

test('a crowd that cannot be recorded answers for the trials that its count lacks, and for no other', () => {
  expect(outcomes(attempt('unknown', true))).toEqual(['unknown', 'unknown', 'unknown']);
  expect(outcomes(attempt('held'), attempt('held'), attempt('unknown', true))).toEqual(['held', 'held', 'unknown']);
  expect(outcomes(attempt('missed'))).toEqual(['missed']);
});

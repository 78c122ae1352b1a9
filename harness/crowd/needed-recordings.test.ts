import { expect, test } from 'vitest';
import type { CrowdPlan } from './crowd-plan.ts';
import { recordingMs } from './needed-recordings.ts';

test('a large crowd that types for long takes longer to record, and most if documents fill memories', () => {
  const minutes = (users: number, memories: number, typingMs: number) => {
    const crowd = { key: { users: users + 2, first: 2, typingMs }, memories } as unknown as CrowdPlan;
    return Math.round(recordingMs([crowd]) / 60_000);
  };
  expect([14, 110, 318].map((users) => minutes(users, 0, 100_000))).toEqual([0, 2, 14]);
  expect([14, 46, 110].map((users) => minutes(users, 1, 70_000))).toEqual([0, 4, 52]);
  expect(minutes(110, 0, 370_000)).toBe(6);
  expect(minutes(46, 1, 140_000)).toBe(15);
});

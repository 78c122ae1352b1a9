import { expect, test } from 'vitest';
import type { CrowdPlan } from './crowd-plan.ts';
import { recordingMs } from './needed-recordings.ts';

test('a large crowd takes longer to record than a small one, and most if documents fill memories', () => {
  const minutes = (users: number, memories: number) =>
    Math.round(recordingMs({ key: { users: users + 2, first: 2 }, memories } as unknown as CrowdPlan) / 60_000);
  expect([14, 110, 318].map((users) => minutes(users, 0))).toEqual([0, 2, 14]);
  expect([14, 46, 110].map((users) => minutes(users, 1))).toEqual([0, 4, 52]);
});

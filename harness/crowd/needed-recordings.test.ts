import { expect, test } from 'vitest';
import type { CrowdPlan } from './crowd-plan.ts';
import { recordingMs } from './needed-recordings.ts';

test('a large crowd that types for long takes longer to record, longer if it sends each edit, and longest if documents fill memories', () => {
  const minutes = (
    users: number,
    { sendMs, memories, typingMs }: { sendMs: number; memories: number; typingMs: number },
  ) => {
    const crowd = {
      key: { users: users + 2, first: 2, typingMs, batching: { sendMs } },
      memories,
    } as unknown as CrowdPlan;
    return Math.round(recordingMs([crowd]) / 60_000);
  };
  const gathered = { sendMs: 1000, memories: 0, typingMs: 100_000 };
  const oneByOne = { sendMs: 0, memories: 0, typingMs: 70_000 };
  const slow = { ...oneByOne, memories: 1 };
  expect([14, 110, 318].map((users) => minutes(users, gathered))).toEqual([0, 2, 22]);
  expect([14, 46, 110, 318].map((users) => minutes(users, oneByOne))).toEqual([0, 1, 6, 71]);
  expect([14, 46, 110].map((users) => minutes(users, slow))).toEqual([0, 4, 52]);
  expect(minutes(110, { ...gathered, typingMs: 370_000 })).toBe(6);
  expect(minutes(46, { ...slow, typingMs: 140_000 })).toBe(15);
});

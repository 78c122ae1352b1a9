import { expect, test } from 'vitest';
import { isDoneToAll } from './trial-processes.ts';

/** Users, of whom those with these numbers have come so far. */
const users = (count: number, ...reached: number[]) =>
  Array.from({ length: count }, (_, user) => ({ user, hasSaid: () => reached.includes(user) }));

test('a server is to blame for users who are never ready only if it does the same to all of them', () => {
  expect(isDoneToAll('not let in', users(3))).toBe(true);
  // The first comes alone, before the others.
  expect(isDoneToAll('not let in', users(3, 0))).toBe(true);
  expect(isDoneToAll('not let in', users(3, 0, 1))).toBe(false);
  expect(isDoneToAll('read-only', users(50, 0))).toBe(true);
  // The marker reached one other: the server takes edits.
  expect(isDoneToAll('read-only', users(50, 0, 7))).toBe(false);
  // Its author does not get so far as to type it.
  expect(isDoneToAll('read-only', users(50))).toBe(false);
});

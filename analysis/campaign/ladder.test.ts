import { expect, test } from 'vitest';
import type { Rung } from '../../results/formats/run-directory.ts';
import { climbOf, describeClimb, openCounts } from './ladder.ts';

const COUNTS = [16, 48, 112, 224, 32, 80, 168, 4, 10];

/** Climbs by what each trial of a count says, the last word for all after it: `h` held, `m` missed. */
function climb(
  words: Readonly<Record<number, string>>,
  most = Number.POSITIVE_INFINITY,
): { tried: string; rungs: Rung[] } {
  const rungs = new Map<number, Rung>();
  const tried: number[] = [];
  while (tried.length < most) {
    const [users] = openCounts(COUNTS, rungs);
    if (users === undefined) break;
    tried.push(users);
    const { held, missed } = rungs.get(users) ?? { held: 0, missed: 0 };
    const said = words[users] ?? 'h';
    const isHeld = (said[held + missed] ?? said.at(-1)) === 'h';
    const tally = { held: held + Number(isHeld), missed: missed + Number(!isHeld) };
    rungs.set(users, { framework: 'x', users, ...tally, gaveOut: isHeld ? null : 'page' });
  }
  return { tried: tried.join(' '), rungs: [...rungs.values()] };
}

const answer = ({ rungs }: { rungs: Rung[] }) => describeClimb(climbOf(COUNTS, rungs));

test.each([
  [{}, '16 48 112 224 224 4', 'more than 224'],
  [{ 112: 'm', 224: 'm' }, '16 48 112 112 80 80 4', '80, not 112'],
  [{ 112: 'm', 80: 'm' }, '16 48 112 112 80 80 48 4', '48, not 80'],
  [{ 16: 'm' }, '16 16 4 10 10', '10, not 16'],
  [{ 16: 'm', 4: 'm' }, '16 16 4 4', 'fewer than 4'],
])('a ladder of %j is climbed as %s: %s', (words, tried, told) => {
  const climbed = climb(words);
  expect(climbed.tried).toBe(tried);
  expect(answer(climbed)).toBe(told);
});

test('two trials of three decide, and an edge that changes its mind moves', () => {
  const second = climb({ 112: 'mhh', 224: 'mhm', 168: 'mm' });
  expect(second.tried).toBe('16 48 112 112 112 224 224 224 168 168 4');
  expect(answer(second)).toBe('112, not 168');
  // 48 held on the way and not when it was looked at again.
  const moved = climb({ 48: 'hmm', 112: 'm', 80: 'm' });
  expect(moved.tried).toBe('16 48 112 112 80 80 48 48 32 32 4');
  expect(answer(moved)).toBe('32, not 48');
});

test('before the end an answer says so', () => {
  expect(describeClimb(climbOf(COUNTS, []))).toBe('not tried yet');
  expect(answer(climb({}, 2))).toBe('48 so far');
  expect(answer(climb({ 112: 'm' }, 4))).toBe('48, not 112 so far');
  // The smallest count, which comes last, changes nothing.
  expect(answer(climb({ 112: 'm', 80: 'm' }, 7))).toBe('48, not 80');
});

test('of several sittings most decide, and the last one says what gave out', () => {
  const [low, high] = [climb({ 80: 'm', 112: 'm' }).rungs, climb({ 112: 'm', 224: 'm' }).rungs];
  expect(climbOf(COUNTS, [...low, ...high, ...high])).toEqual({
    ...{ most: 80, end: { users: 112, gaveOut: 'page' }, isOver: true },
  });
  expect(climbOf(COUNTS, [...low, ...high]).most).toBe(48);
});

import { expect, test } from 'vitest';
import type { Rung } from '../../results/formats/run-directory.ts';
import { climbInShort, climbOf, describeClimb, isBlamed, openCounts, partOf } from './ladder.ts';

const COUNTS = [16, 48, 112, 224, 32, 80, 168, 4, 10];

/** Climbs by what each trial of a count says, the last word for all after it: `h` held, `m` missed. */
function climb(
  words: Readonly<Record<number, string>>,
  { most = Number.POSITIVE_INFINITY, gaveOut = 'page' }: { most?: number; gaveOut?: string | null } = {},
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
    rungs.set(users, { framework: 'x', users, ...tally, gaveOut: isHeld ? null : gaveOut });
  }
  return { tried: tried.join(' '), rungs: [...rungs.values()] };
}

const climbIn = (...sittings: { rungs: Rung[] }[]) =>
  climbOf(
    'x',
    sittings.map(({ rungs }) => rungs),
    COUNTS,
  );
const answer = (...sittings: { rungs: Rung[] }[]) => describeClimb(climbIn(...sittings));

test.each([
  [{}, '16 48 112 224 224 4', 'at least 224'],
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
  expect(answer()).toBe('not tried yet');
  expect(answer(climb({ 16: 'm' }, { most: 1 }))).toBe('not known yet');
  expect(answer(climb({}, { most: 2 }))).toBe('48 so far');
  expect(answer(climb({ 112: 'm' }, { most: 4 }))).toBe('48, not 112 so far');
  // The smallest count, which comes last, changes nothing.
  expect(answer(climb({ 112: 'm', 80: 'm' }, { most: 7 }))).toBe('48, not 80');
  // Another sitting that has begun.
  expect(answer(climb({ 112: 'm' }), climb({}, { most: 1 }))).toBe('80, not 112 so far');
});

test('in short an answer has 12 characters at most, and nothing of how sittings differ', () => {
  const low = climb({ 80: 'm', 112: 'm' });
  const climbs = [
    ...[climbIn(), climbIn(climb({}, { most: 2 })), climbIn(climb({})), climbIn(climb({ 16: 'm', 4: 'm' }))],
    ...[climbIn(climb({ 224: 'm' }, { most: 5 })), climbIn(low, climb({ 112: 'm' })), climbIn(climb({ 224: 'm' }))],
  ];
  const texts = climbs.map(climbInShort);
  expect(texts).toEqual(['–', '≥ 48', '≥ 224', '< 4', '≥112, <224', '48, not 80', '168, not 224']);
  const [some, none] = [
    climb({ 112: 'm', 80: 'm' }, { gaveOut: 'machine' }),
    climb({ 16: 'm', 4: 'm' }, { gaveOut: 'machine' }),
  ];
  expect([climbIn(some), climbIn(none)].map(climbInShort)).toEqual(['≥48, 80?', '4?']);
  expect(Math.max(...texts.map(({ length }) => length))).toBe(12);
});

test('of several sittings most decide, with the least and the greatest; each end’s part is named', () => {
  const [low, high] = [climb({ 80: 'm', 112: 'm' }, { gaveOut: 'machine' }), climb({ 112: 'm', 224: 'm' })];
  expect(climbIn(low, high, high)).toEqual({
    ...{ most: 80, end: { users: 112, gaveOut: ['machine', 'page'] }, range: [48, 80], isOver: true },
  });
  expect(answer(low, high)).toBe('at least 48 (48–80), not known from 80');
  // At 80 only the machine gave out.
  expect(isBlamed(climbIn(low, high))).toBe(false);
  expect(isBlamed(climbIn(low, high, high))).toBe(true);
  expect(isBlamed(climbIn(low))).toBe(false);
  expect(climbIn(climb({ 16: 'm', 4: 'm' }, { gaveOut: null })).end).toEqual({ users: 4, gaveOut: ['nothing full'] });
});

test('where the machine or the harness gave out, nothing is said of the framework', () => {
  const [over, low] = [
    climb({ 112: 'm' }, { gaveOut: 'machine' }),
    climb({ 80: 'm', 112: 'm' }, { gaveOut: 'recorder' }),
  ];
  expect(answer(over)).toBe('at least 80, not known from 112');
  expect(answer(over, low)).toBe('at least 48 (48–80), not known from 80');
  expect(answer(climb({ 112: 'm' }, { most: 4, gaveOut: 'harness' }))).toBe('at least 48, not known from 112 so far');
  expect(answer(climb({ 16: 'm', 4: 'm' }, { gaveOut: 'machine' }))).toBe('not known from 4');
});

test('a count that was spoilt tells nothing where a larger one held, and one that the framework missed does', () => {
  const spoilt = climb({ 4: 'm' }, { gaveOut: 'harness' });
  expect(spoilt.tried).toBe('16 48 112 224 224 4 4');
  expect(answer(spoilt)).toBe('at least 224');
  expect(answer(spoilt, climb({}))).toBe('at least 224');
  expect(answer(climb({ 4: 'm' }))).toBe('fewer than 4');
});

test('a sitting that went beyond a count says that it held, without having tried it', () => {
  const [low, middle, high] = [climb({ 80: 'm', 112: 'm' }), climb({ 112: 'm' }), climb({ 224: 'm' })];
  expect(high.tried).not.toContain('80');
  expect(answer(low, middle, high)).toBe('80 (48–168), not 112');
});

test('a framework is blamed only if none of the trials that did not hold was spoilt', () => {
  expect(partOf(['page', 'machine'])).toBe('machine');
  expect(partOf(['machine', 'page'])).toBe('machine');
  expect(partOf([null, 'page'])).toBe('page');
  expect(partOf(['page', null])).toBe('page');
  expect(partOf([])).toBe(null);
});

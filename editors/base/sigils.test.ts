import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Screen, Shown } from './editor.ts';
import { findSigils, makeSigil, parseSigil, SIGIL_NUMBERS, watchSigils } from './sigils.ts';

test('a sigil is two base-36 digits of the user, "@", the low one of the count, and the shifted high one', () => {
  // 123 = 3 × 36 + 15, and 15 is "f"; 10 × 11 + 15 × 8 = 230 leaves 20 of 35, and 3 + 1 + 20 is "o".
  expect(makeSigil(10, 123)).toBe('0a@fo');
  expect(makeSigil(0, 0)).toBe('00@01');
  // 1295 × 11 leaves 0 of 35 and 35 × 8 does: 35 + 1 begins anew.
  expect(makeSigil(1295, 1295)).toBe('zz@z0');
});

test('a user’s first 36 sigils end in many letters and digits, and never in a "0", with which the next may begin', () => {
  for (const user of [0, 1, 17, 111]) {
    const last = Array.from({ length: 36 }, (_, count) => makeSigil(user, count)[4]);
    expect(new Set(last).size).toBe(35);
    expect(last).not.toContain('0');
  }
});

test('parseSigil takes back what makeSigil made', () => {
  const number = fc.nat(SIGIL_NUMBERS - 1);
  fc.assert(
    fc.property(number, number, (user, count) => {
      expect(parseSigil(makeSigil(user, count))).toEqual({ user, count });
    }),
  );
});

test.each(['', '0af3', '0a@f3 ', '0A@f3', 'x0a@f3', '0a3f@', '0a@3'])('"%s" is no sigil', (text) => {
  expect(parseSigil(text)).toBeNull();
});

test.each([
  [1296, 0, /user is 1296/],
  [0, -1, /count is -1/],
  [0.5, 0, /user is 0\.5/],
])('numbers that do not fit are refused: %d, %d', (user, count, message) => {
  expect(() => makeSigil(user, count)).toThrow(message);
});

test('sigils are found wherever they stand, next to other text and each other', () => {
  expect(findSigils('the quick0a@f3brown 1b@001b@10 f@x @ 0a@f3')).toEqual(['0a@f3', '1b@00', '1b@10', '0a@f3']);
  expect(findSigils('no sign of any')).toEqual([]);
});

test('a sigil is found whatever another has left beside it', () => {
  expect(findSigils('01@02@f3')).toEqual(['01@02', '02@f3']);
  expect(findSigils('01@e02@f3')).toEqual(['01@e0', '02@f3']);
  const beside = fc.string({ unit: fc.constantFrom(...'@@09az ') });
  fc.assert(
    fc.property(beside, fc.nat(SIGIL_NUMBERS - 1), beside, (before, number, after) => {
      const sigil = makeSigil(number, number);
      expect(findSigils(before + sigil + after)).toContain(sigil);
    }),
  );
});

/** Gets frames, and gives what `watchSigils` tells of them. */
function watch() {
  let listener = (_shown: Shown) => {};
  const screen = { onShown: (given: typeof listener) => (listener = given) } as unknown as Screen;
  const [seen, changed]: unknown[][] = [[], []];
  watchSigils(
    screen,
    (...args) => seen!.push(args),
    (...args) => changed!.push(args),
  );
  return {
    seen,
    changed,
    show: (shown: Partial<Shown>) => listener({ before: [], after: [], formatted: [], atMs: 7, ...shown }),
  };
}

test('what stood there before is not new, but a second one is', () => {
  const { seen, changed, show } = watch();
  show({ before: ['0a@f3 1b@00'], after: ['1b@00', '0a@f3 0a@f3 2c@00'] });
  expect(changed).toEqual([]);
  expect(seen).toEqual([
    ['0a@f3', 7],
    ['2c@00', 7],
  ]);
});

test('what stands there no more was deleted, and what was formatted is told once a frame', () => {
  const { seen, changed, show } = watch();
  show({ before: ['0a@f3 1b@00'], after: ['1b@0'], formatted: [] });
  show({ formatted: ['x 2c@00', '2c@00 y', 'z'] });
  expect(seen).toEqual([]);
  expect(changed).toEqual([
    ['0a@f3', 'deleted', 7],
    ['1b@00', 'deleted', 7],
    ['2c@00', 'formatted', 7],
  ]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Screen, Shown } from './editor.ts';
import { findSigils, makeSigil, parseSigil, SIGIL_NUMBERS, watchSigils } from './sigils.ts';

test('a sigil is two base-36 digits of the user, two of the count, and "@"', () => {
  // 123 = 3 × 36 + 15, and 15 is "f".
  expect(makeSigil(10, 123)).toBe('0a3f@');
  expect(makeSigil(0, 0)).toBe('0000@');
  expect(makeSigil(1295, 1295)).toBe('zzzz@');
});

test('parseSigil takes back what makeSigil made', () => {
  const number = fc.nat(SIGIL_NUMBERS - 1);
  fc.assert(
    fc.property(number, number, (user, count) => {
      expect(parseSigil(makeSigil(user, count))).toEqual({ user, count });
    }),
  );
});

test.each(['', '0a3f', '0a3f@ ', '0A3f@', 'x0a3f@', '0a3@'])('"%s" is no sigil', (text) => {
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
  expect(findSigils('the quick0a3f@brown 1b00@1b01@ f@x @ 0a3f@')).toEqual(['0a3f@', '1b00@', '1b01@', '0a3f@']);
  expect(findSigils('no sign of any')).toEqual([]);
});

test('what stood there before is not new, but a second one is', () => {
  let listener = (_shown: Shown) => {};
  const screen = { onShown: (given: typeof listener) => (listener = given) } as unknown as Screen;
  const seen: unknown[] = [];
  watchSigils(screen, (...args) => seen.push(args));
  listener({ before: ['0a3f@ 1b00@'], after: ['1b00@', '0a3f@ 0a3f@ 2c00@'], atMs: 7 });
  expect(seen).toEqual([
    ['0a3f@', 7],
    ['2c00@', 7],
  ]);
});

import { expect, test } from 'vitest';
import type { Edit } from './edits.ts';
import { startOf, stretchFor } from './stretches.ts';

const edits = (name: string, length: number): Edit[] =>
  Array.from({ length }, (_, index) => ({ kind: 'key', move: 0, text: `${name}${index}` }));
const textsOf = (stretch: Edit[]) => stretch.map((edit) => ('text' in edit ? edit.text : ''));

test('spreads users over an author, whom they follow in a circle', () => {
  const authors = [edits('a', 10)];
  // Starts of floor(10 · frac(0.618 u)): 0, 6, 2.
  expect([0, 1, 2].map((user) => startOf({ authors, user }).start)).toEqual([0, 6, 2]);
  expect(textsOf(stretchFor({ authors, user: 1, count: 6 }))).toEqual(['a6', 'a7', 'a8', 'a9', 'a0', 'a1']);
});

test('deals users to authors in turn, and passes over authors without edits', () => {
  const authors = [edits('a', 4), [], edits('b', 6)];
  expect([0, 1, 2, 3].map((user) => startOf({ authors, user }))).toEqual([
    { author: 0, start: 0 },
    { author: 2, start: 0 },
    { author: 0, start: 2 },
    { author: 2, start: 3 },
  ]);
});

test('however many users there are, their starts lie apart almost evenly', () => {
  const length = 1_000_000;
  const authors = [edits('a', 0), new Array<Edit>(length)];
  const starts: number[] = [];
  for (let users = 1; users <= 300; users++) {
    starts.push(startOf({ authors, user: users - 1 }).start);
    const sorted = starts.toSorted((a, b) => a - b);
    const gaps = sorted.map((start, index) => (sorted[index + 1] ?? length + sorted[0]!) - start);
    expect(Math.max(...gaps)).toBeLessThan((1.9 * length) / users);
    if (users > 1) expect(Math.min(...gaps)).toBeGreaterThan((0.38 * length) / users);
  }
});

test('refuses a trace without edits, and what is no number of a user', () => {
  expect(() => stretchFor({ authors: [[]], user: 0, count: 1 })).toThrow(/no edits/);
  expect(() => stretchFor({ authors: [edits('a', 1)], user: -1, count: 1 })).toThrow(RangeError);
});

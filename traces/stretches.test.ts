import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Edit } from './edit.ts';
import { stretchFor, stretchOf } from './stretches.ts';

const edits = (name: string, length: number): Edit[] =>
  Array.from({ length }, (_, index) => ({ kind: 'key', move: 0, text: `${name}${index}` }));
const textsOf = (stretch: Edit[]) => stretch.map((edit) => ('text' in edit ? edit.text : ''));

test('splits one author among all users, who run on after their own stretch, in a circle', () => {
  const authors = [edits('a', 10)];
  // Stretches of floor(10 u / 3): [0, 3), [3, 6), [6, 10).
  expect(stretchOf({ authors, user: 2, users: 3 })).toEqual({ author: 0, start: 6, length: 4 });
  expect(textsOf(stretchFor({ authors, user: 1, users: 3, count: 4 }))).toEqual(['a3', 'a4', 'a5', 'a6']);
  expect(textsOf(stretchFor({ authors, user: 2, users: 3, count: 6 }))).toEqual(['a6', 'a7', 'a8', 'a9', 'a0', 'a1']);
});

test('deals users to authors in turn, and passes over authors without edits', () => {
  const authors = [edits('a', 4), [], edits('b', 6)];
  const stretches = [0, 1, 2].map((user) => stretchOf({ authors, user, users: 3 }));
  expect(stretches).toEqual([
    { author: 0, start: 0, length: 2 },
    { author: 2, start: 0, length: 6 },
    { author: 0, start: 2, length: 2 },
  ]);
});

test('with at least as many users as authors, the stretches are all the edits, each once', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(lengths, fc.nat({ max: 40 }), (sizes, more) => {
      const authors = sizes.map((size, author) => edits(`${author}-`, size));
      const users = sizes.length + more;
      const typed = Array.from({ length: users }, (_, user) => {
        return textsOf(stretchFor({ authors, user, users, count: stretchOf({ authors, user, users }).length }));
      });
      expect(typed.flat().sort()).toEqual(textsOf(authors.flat()).sort());
    }),
  );
});

test('refuses a trace without edits, and a user who is none of the users', () => {
  expect(() => stretchFor({ authors: [[]], user: 0, users: 1, count: 1 })).toThrow(/no edits/);
  expect(() => stretchFor({ authors: [edits('a', 1)], user: 2, users: 2, count: 1 })).toThrow(RangeError);
});

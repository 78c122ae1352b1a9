import { expect, test } from 'vitest';
import { combinations } from './scenario.ts';

test('cells are all combinations, the last parameter quickest, and a value that is written twice makes one', () => {
  expect(combinations<{ store: string; edits: number }>({ store: ['a', 'b', 'a'], edits: [1, 2, 2] })).toEqual([
    { store: 'a', edits: 1 },
    { store: 'a', edits: 2 },
    { store: 'b', edits: 1 },
    { store: 'b', edits: 2 },
  ]);
});

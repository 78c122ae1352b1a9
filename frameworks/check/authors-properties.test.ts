import { expect, test } from 'vitest';
import { expectOnce } from './authors-properties.ts';

test('what an author wrote is there once; missing at all alike, or doubled, it is a violation', () => {
  expectOnce('one\ntwo\n', ['one\n', 'two\n']);
  expect(() => expectOnce('one\n', ['one\n', 'two\n'])).toThrow('of 4 characters, 0 times, not once: "two');
  expect(() => expectOnce('one\none\n', ['one\n'])).toThrow('2 times, not once: "one');
});

import { expect, test } from 'vitest';
import type { SequentialTrace } from './format.ts';
import { startText } from './prose.ts';

const trace: SequentialTrace = { kind: 'sequential', startContent: '', endContent: 'one\r\ntwo 🎉', txns: [] };

test('a document begins as a trace ends, or with the beginning of that', () => {
  expect(startText({ trace, characters: null })).toBe('one\ntwo 🎉');
  expect(startText({ trace, characters: 5 })).toBe('one\nt');
  // No half of a character.
  expect(startText({ trace, characters: 9 })).toBe('one\ntwo ');
  expect(() => startText({ trace, characters: 11 })).toThrow('its trace ends with 10');
});

test('without a trace it is prose, the same each time', () => {
  const text = startText({ trace: null, characters: 5000 });
  expect(text).toHaveLength(5000);
  expect(text).toContain('\n');
  expect(startText({ trace: null, characters: 100 })).toBe(text.slice(0, 100));
  expect(startText({ trace: null, characters: null })).toBe('');
});

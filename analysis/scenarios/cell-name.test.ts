import { expect, test } from 'vitest';
import { SCENARIOS } from './catalogue.ts';
import { parameterText } from './cell-name.ts';

test('one of a parameter is told in the singular, in every scenario', () => {
  const counts = Object.values(SCENARIOS).flatMap(({ parameters }) => parameters.filter(({ unit }) => unit));
  expect(new Set(counts.map((count) => parameterText(count, 1)))).toEqual(
    new Set(['1 edit', '1 document', '1 process', '1 user', '1 time']),
  );
  expect(parameterText({ unit: 'processes', one: 'process' }, 2)).toBe('2 processes');
  expect(parameterText({}, 'yjs')).toBe('yjs');
});

import { expect, test } from 'vitest';
import type { Framework } from '../framework.ts';
import { whatCounts } from './kept-worlds.ts';
import type { Outcome } from './properties.ts';
import { firstOfEachLibrary, sayResult } from './suite.ts';

test.each([
  [['holds', 'holds', 'fails'], '2 hold, 1 fails'],
  [['holds', 'fails', 'fails', 'known issue', 'not supported'], '1 holds, 2 fail, 1 known issue, 1 not supported'],
] as [Outcome[], string][])('%j reads as English', (outcomes, said) => {
  const findings = outcomes.map((outcome) => ({ property: '', outcome, message: null }));
  expect(sayResult({ findings })).toBe(said);
});

test('of kept worlds a failure counts first, then one that was not played, then a known issue', () => {
  const counting = (...outcomes: Outcome[]) => whatCounts(outcomes.map((outcome) => ({ outcome, message: null })));
  expect(counting('holds', 'known issue', 'not supported', 'fails')?.outcome).toBe('fails');
  expect(counting('holds', 'known issue', 'not supported')?.outcome).toBe('not supported');
  expect(counting('holds', 'known issue')?.outcome).toBe('known issue');
  expect(counting()).toBeNull();
});

test('the first word of a name is that of a library in the project alone', () => {
  const named = (kind: string) => (name: string) => ({ name, kind }) as Framework;
  const frameworks = [
    ...['yjs', 'yjs-relay'].map(named('project')),
    ...['my-one', 'my-two', 'yjs-3'].map(named('outside')),
  ];
  expect(firstOfEachLibrary(frameworks).map(({ name }) => name)).toEqual(['yjs', 'my-one', 'my-two', 'yjs-3']);
});

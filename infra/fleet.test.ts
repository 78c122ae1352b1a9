import { expect, test } from 'vitest';
import { CUT_OFF_EXIT_CODE, failureOf } from './fleet.ts';

const replaced = (words: string) => (words.includes('Cannot find package') ? 'packages were replaced' : null);

test('a process that ended is told apart from one whose connection, or whose packages, were taken from it', () => {
  const end = (code: number, lastWords: string) =>
    failureOf('the server process', { code, signal: null, lastWords }, replaced);
  expect(end(0, '')).toBeNull();
  expect(end(1, 'Error: x')).toEqual({ text: 'the server process ended with exit code 1:\nError: x', of: 'process' });
  expect(end(CUT_OFF_EXIT_CODE, '')).toMatchObject({ of: 'connection' });
  expect(end(1, "throw\n ^\nError: Cannot find package 'ws'\n    at f (x.js:1:2)")).toEqual({
    text: 'the server process ended with exit code 1: packages were replaced',
    of: 'machine',
  });
});

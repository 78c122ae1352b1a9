import { expect, test } from 'vitest';
import { judge, notOffered } from './outcome.ts';

const holds = { holds: true, otherwise: 'not said' };
const fails = { holds: false, otherwise: 'it grows' };

test('the mark follows from how many checks hold, with what did not', () => {
  expect(judge([holds, holds])).toEqual({ mark: 'yes' });
  expect(judge([holds, fails, fails])).toEqual({ mark: 'partly', why: 'it grows' });
  expect(judge([fails, { holds: false, otherwise: 'it shrinks' }])).toEqual({
    mark: 'no',
    why: 'it grows; it shrinks',
  });
});

test('what holds by half is no ✗', () => {
  expect(judge([fails, { ...fails, isHalf: true }])).toEqual({ mark: 'partly', why: 'it grows' });
});

test('without what is essential the rest counts for nothing', () => {
  expect(judge([holds, { holds: false, otherwise: 'replicas end apart', isEssential: true }])).toEqual({
    mark: 'no',
    why: 'replicas end apart',
  });
});

test('an interface that is there after all must be tried', () => {
  expect(notOffered('looked for undo', [{}], ['undo'])).toEqual({ mark: 'not offered', why: 'looked for undo' });
  expect(() => notOffered('looked for undo', [{ undo() {} }], ['undo'])).toThrow('it has undo');
});

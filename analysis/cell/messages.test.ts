import { expect, test } from 'vitest';
import { aboutCell, isReason, mergeTrials, messagesOf, tellMessages } from './messages.ts';

const UNREAD = aboutCell('functionality-not-judged', 'decides', 'throughput (not measured)');
const SLOW = { ...aboutCell('not-smooth', 'decides', 'long tasks'), trials: [1, 3] };
const BROKEN = aboutCell('sigils-broken', 'record', 'some sigils');

test('a summary has the messages as sentences too: reasons, and notes, which may decide an answer', () => {
  const told = tellMessages([BROKEN, UNREAD, SLOW]);
  expect(told.reasons).toEqual(['trials 1 and 3: not smooth: long tasks']);
  expect(told.notes).toEqual(['some sigils', 'fully functional: not judged: throughput (not measured)']);
  expect(told.messages).toEqual([SLOW, BROKEN, UNREAD]);
  expect(told.messages.filter(isReason)).toEqual([SLOW]);
});

test('the reasons of a verdict decide, its notes ask for care', () => {
  const verdict = { reasons: [{ code: 'a', message: 'x' }], notes: [{ code: 'b', message: 'y' }] };
  expect(messagesOf(verdict)).toEqual([
    { code: 'a', rank: 'decides', text: 'x' },
    { code: 'b', rank: 'care', text: 'y' },
  ]);
});

test('the same message of several trials stands once; one text under two codes does not', () => {
  const [one, other] = [UNREAD, { ...UNREAD, code: 'smoothness-not-judged' }];
  const trials = [
    { trial: 2, messages: [one, one] },
    { trial: 4, messages: [other, one] },
  ];
  expect(mergeTrials(trials)).toEqual([
    { ...one, trials: [2, 4] },
    { ...other, trials: [4] },
  ]);
});

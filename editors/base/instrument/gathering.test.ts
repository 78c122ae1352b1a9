import Delta from 'quill-delta';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gatherReceived } from '../binding/batching.ts';
import type { Batching } from '../framework.ts';
import { NoQuill } from '../noquill/noquill.ts';
import { watchGathering } from './gathering.ts';

const TICKS: Batching = { receiveMs: 50, receivePhaseMs: 20, sendMs: 0 };
const TRAILING: Batching = { receiveMs: 50, sendMs: 0 };
/** Neither a multiple of the period nor a part of it. */
const MESSAGE_PERIOD_MS = 17;
const MESSAGES = 120;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** The gathering that is seen of a client: asked to do so, and doing so or otherwise. */
function seenOf(asked: Batching, done: Batching) {
  const editor = new NoQuill();
  const seen = watchGathering(editor, asked);
  const incoming = gatherReceived<string>(done, (texts) => {
    editor.updateContents(new Delta().insert(texts.join('')), 'api');
  });
  for (let message = 0; message < MESSAGES; message++) {
    incoming.add('x');
    vi.advanceTimersByTime(MESSAGE_PERIOD_MS);
  }
  return seen;
}

test.each([
  ['ticks', TICKS],
  ['from the first message on', TRAILING],
])('a client that gathers as it is asked to has one batch in each period: %s', (_how, batching) => {
  const { receivePeriods, receivePeriodsApart } = seenOf(batching, batching);
  expect(receivePeriods).toBeGreaterThan(30);
  expect(receivePeriodsApart).toBe(0);
});

test.each([
  ['ticks', TICKS],
  ['from the first message on', TRAILING],
])('one that applies at once has several in most: %s', (_how, batching) => {
  const { receivePeriods, receivePeriodsApart } = seenOf(batching, { receiveMs: 0, sendMs: 0 });
  expect(receivePeriodsApart).toBeGreaterThan(receivePeriods / 2);
});

test('batches that come late, each in a period of its own, are gathered; a second one in a period is not', () => {
  const editor = new NoQuill();
  const seen = watchGathering(editor, TICKS);
  const changeAt = (ms: number) => {
    vi.advanceTimersByTime(ms - performance.now());
    editor.updateContents(new Delta().insert('x'), 'api');
  };
  const [tickMs] = [Math.ceil(performance.now() / 50) * 50 + TICKS.receivePhaseMs!];
  // A timer may come a moment before its tick, and the next one at it.
  for (const ms of [45, 51, 149.5, 150.5, 199]) changeAt(tickMs + ms);
  expect(seen.receivePeriodsApart).toBe(0);
  changeAt(tickMs + 210);
  changeAt(tickMs + 230);
  expect(seen.receivePeriodsApart).toBe(1);
});

test('where nothing is to be gathered, nothing is told', () => {
  expect(seenOf({ receiveMs: 0, sendMs: 0 }, { receiveMs: 0, sendMs: 0 })).toEqual({
    receivePeriods: 0,
    receivePeriodsApart: 0,
  });
});

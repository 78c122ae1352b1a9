import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { requireText } from '../measurement.ts';
import { UpdateStore } from './remote.ts';
import { EDITS_PER_STRETCH, extrapolate, requireAll, timeEdits, timeEditsInStretches } from './stopwatch.ts';

// Other programs may take the thread away at any moment: the clock stands still but for what takes time here.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());
const busy = (ms: number) => vi.advanceTimersByTime(ms);

test('every edit is made once, in order, and the curve has a point for each thousand', () => {
  const made: number[] = [];
  const { done, curve, totalMs, worstMs } = timeEdits(2500, (index) => made.push(index), 1000);
  expect(made).toEqual(Array.from({ length: 2500 }, (_, index) => index));
  expect(done).toBe(2500);
  expect(curve.x).toEqual([1000, 2000, 2500]);
  expect(curve.y).toHaveLength(3);
  expect(worstMs).toBeLessThanOrEqual(totalMs);
});

test('a slow edit is the worst, and shows in its part of the curve', () => {
  const { worstMs, curve } = timeEdits(2000, (index) => index === 1500 && busy(20), 1000);
  expect(worstMs).toBe(20);
  expect(curve.y[1]).toBeGreaterThan(curve.y[0]!);
});

test('what is done between is not timed, and comes after every edit before it', () => {
  const made: number[] = [];
  const seen: number[] = [];
  const between = () => {
    seen.push(made.length);
    busy(2);
  };
  const { totalMs, worstMs } = timeEdits(20, (index) => made.push(index), 1000, between);
  expect(seen).toEqual([8, 16, 20]);
  expect([totalMs, worstMs]).toEqual([0, 0]);
});

test('the thread is let go now and then, and that counts neither as time nor against the limit', async () => {
  let made = 0;
  let madeThen = 0;
  const make = (index: number) => {
    made++;
    if (index > 0) return;
    setImmediate(() => {
      madeThen = made;
      busy(50);
    });
  };
  const { done, totalMs, curve } = await timeEditsInStretches(1500, make, 30);
  expect(madeThen).toBe(EDITS_PER_STRETCH);
  expect([done, totalMs]).toEqual([1500, 0]);
  expect(curve.x).toEqual([1000, 1500]);
});

test('edits of several stretches are out of time together', async () => {
  const timed = await timeEditsInStretches(5000, () => busy(1), 2500);
  expect(timed.done).toBeGreaterThan(2500);
  expect(timed.done).toBeLessThan(2600);
});

test('many edits make no more points than a chart shows', () => {
  const { curve } = timeEdits(1_000_000, () => {}, 10_000);
  expect(curve.x.length).toBeLessThanOrEqual(400);
  expect(curve.x.at(-1)).toBe(1_000_000);
});

test('what is not done in time is said, with how far it got', () => {
  const timed = timeEdits(1000, () => busy(1), 30);
  expect(timed.done).toBeLessThan(100);
  expect(() => requireAll(timed, 1000)).toThrow(/^it had made \d+ of 1000 edits after \d\.\d s$/);
  expect(() =>
    requireAll(
      timeEdits(10, () => {}, 1000),
      10,
    ),
  ).not.toThrow();
});

test('a text that differs is shown at its first difference', () => {
  expect(() => requireText('abc', 'abc', 'the document')).not.toThrow();
  expect(() => requireText('the quick brown box', 'the quick brown fox', 'the document')).toThrow(
    'the document holds another text than was typed: first at character 16, expected "the quick brown fox", saw "the quick brown box" (length expected: 19, seen: 19)',
  );
});

test('an edit that takes longer for each before it goes on to do so', () => {
  // Edit n takes n µs: 10 edits take 55 µs with steps of one, and by the line through their middle 50.
  const curve = { x: [1, 2, 3, 4], y: [1, 2, 3, 4] };
  expect(extrapolate(curve, 10)).toBeCloseTo(0.05);
  expect(extrapolate({ x: [1000, 2000], y: [5, 5] }, 1_000_000)).toBeCloseTo(5000);
  // By a line that falls, all edits would take less than no time.
  expect(extrapolate({ x: [1000, 2000], y: [5, 4] }, 1_000_000)).toBeCloseTo(4500);
});

test('updates come back as they were, of any length', () => {
  const store = new UpdateStore(4);
  const updates = [new Uint8Array([1, 2]), new Uint8Array(), new Uint8Array(1000).fill(7), new Uint8Array([9])];
  for (const update of updates) store.add(update);
  expect(store.updates()).toEqual(updates);
  expect(store.bytes).toBe(1003);
  // Four ends, of 4 bytes each.
  expect(store.writtenBytes).toBe(1003 + 16);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBatcher, gatherReceived } from './batching.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Items arrive at these times, in ms; what is delivered when. */
function play(arrivalsMs: readonly number[], periodMs: number, phaseMs?: number): [number, number[]][] {
  const delivered: [number, number[]][] = [];
  const startMs = performance.now();
  const batcher = createBatcher<number>(
    periodMs,
    (items) => delivered.push([Math.round(performance.now() - startMs), items]),
    phaseMs === undefined ? undefined : startMs + phaseMs,
  );
  let atMs = 0;
  for (const arrivalMs of arrivalsMs) {
    vi.advanceTimersByTime(arrivalMs - atMs);
    atMs = arrivalMs;
    batcher.add(arrivalMs);
  }
  vi.advanceTimersByTime(1000);
  return delivered;
}

test('without a phase, a batch lasts from its first item on', () => {
  expect(play([10, 30, 59, 61], 50)).toEqual([
    [60, [10, 30, 59]],
    [111, [61]],
  ]);
});

test('with one, batches end at its ticks, whatever opened them', () => {
  expect(play([10, 30, 59, 61, 130], 50, 20)).toEqual([
    [20, [10]],
    [70, [30, 59, 61]],
    [170, [130]],
  ]);
});

test('whenever items come, and at whatever phase the ticks are, none waits longer than a period', () => {
  const arrivalsMs = Array.from({ length: 200 }, (_, index) => (index * index * 7) % 1999).sort((a, b) => a - b);
  for (const phaseMs of [0, 0.25, 13.7, 49.999]) {
    const waits = play(arrivalsMs, 50, phaseMs).flatMap(([atMs, items]) => items.map((arrivalMs) => atMs - arrivalMs));
    expect(waits).toHaveLength(arrivalsMs.length);
    expect(Math.max(...waits)).toBeLessThanOrEqual(51); // timers are of whole milliseconds
  }
});

test('what comes at a tick waits for the next', () => {
  expect(play([20], 50, 20)).toEqual([[70, [20]]]);
});

test('without a period each item is delivered at once', () => {
  expect(play([5, 6], 0, 20)).toEqual([
    [5, [5]],
    [6, [6]],
  ]);
});

test('a user whose screen nobody sees takes in before each key what its ticks have brought, and all within a second', () => {
  const beforeKeys = new Set<() => void>();
  const delivered: number[][] = [];
  const phaseMs = performance.now() + 20;
  const batching = { receiveMs: 50, receivePhaseMs: phaseMs, sendMs: 0, beforeKeys };
  const incoming = gatherReceived<number>(batching, (items) => delivered.push(items));
  const key = () => {
    for (const takeIn of beforeKeys) takeIn();
  };
  incoming.add(0);
  vi.advanceTimersByTime(30);
  incoming.add(30);
  expect(delivered).toEqual([]);
  key();
  expect(delivered).toEqual([[0]]);
  key();
  vi.advanceTimersByTime(60);
  incoming.add(90);
  key();
  expect(delivered).toEqual([[0], [30]]);
  vi.advanceTimersByTime(1050);
  expect(delivered).toEqual([[0], [30], [90]]);
  incoming.stop();
  expect(beforeKeys.size).toBe(0);
});

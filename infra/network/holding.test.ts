import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHolding, type HoldingClock } from './holding.ts';

/** A clock whose timers fire as Node's do: at whole milliseconds, up to one late. It counts the timers under way. */
function fakeClock() {
  let nowMs = 0;
  let timers: { atMs: number; call: () => void }[] = [];
  let mostTimers = 0;
  const clock: HoldingClock = {
    nowMs: () => nowMs,
    after(delayMs, call) {
      const timer = { atMs: Math.ceil(nowMs + Math.max(1, Math.floor(delayMs))), call };
      timers.push(timer);
      mostTimers = Math.max(mostTimers, timers.length);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
  };
  const advanceTo = (untilMs: number) => {
    for (;;) {
      const next = timers.toSorted((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined || next.atMs > untilMs) break;
      timers = timers.filter((each) => each !== next);
      nowMs = Math.max(nowMs, next.atMs);
      next.call();
    }
    nowMs = untilMs;
  };
  return { clock, advanceTo, mostTimers: () => mostTimers };
}

test('all is released once, in order, at most half a tick early and two late, with one timer', () => {
  const arrivals = fc.array(
    fc.tuple(fc.double({ min: 0, max: 30, noNaN: true }), fc.double({ min: 0, max: 80, noNaN: true })),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(arrivals, (gapsAndDelays) => {
      const { clock, advanceTo, mostTimers } = fakeClock();
      const released: { item: number; atMs: number }[] = [];
      const holding = createHolding<number>(
        (items) => {
          for (const item of items) released.push({ item, atMs: clock.nowMs() });
        },
        { clock },
      );
      const dueMs: number[] = [];
      let atMs = 0;
      for (const [index, [gapMs, delayMs]] of gapsAndDelays.entries()) {
        atMs += gapMs;
        advanceTo(atMs);
        holding.add(index, atMs + delayMs);
        // In order: not before what came before.
        dueMs.push(Math.max(dueMs.at(-1) ?? 0, atMs + delayMs));
      }
      advanceTo(atMs + 200);
      expect(released.map(({ item }) => item)).toEqual(gapsAndDelays.map((_, index) => index));
      for (const { item, atMs } of released) {
        expect(atMs - dueMs[item]!).toBeGreaterThanOrEqual(-0.5);
        expect(atMs - dueMs[item]!).toBeLessThanOrEqual(2);
      }
      expect(mostTimers()).toBeLessThanOrEqual(1);
    }),
  );
});

test('what is due together is released together', () => {
  const { clock, advanceTo } = fakeClock();
  const batches: string[][] = [];
  const holding = createHolding<string>((items) => batches.push(items), { clock });
  holding.add('a', 20);
  holding.add('b', 10);
  holding.add('c', 40);
  advanceTo(100);
  expect(batches).toEqual([['a', 'b'], ['c']]);
});

test('what is due when it is added waits for nobody, unless others are before it', () => {
  const { clock, advanceTo, mostTimers } = fakeClock();
  const released: string[] = [];
  const holding = createHolding<string>((items) => released.push(...items), { clock });
  holding.add('a', 0);
  holding.add('b', 0.25);
  expect([released, mostTimers()]).toEqual([['a', 'b'], 0]);
  holding.add('c', 10);
  holding.add('d', 0);
  expect(released).toEqual(['a', 'b']);
  advanceTo(100);
  expect(released).toEqual(['a', 'b', 'c', 'd']);
});

test('what is forgotten is never released, and what comes after it is', () => {
  const { clock, advanceTo } = fakeClock();
  const released: string[] = [];
  const holding = createHolding<string>((items) => released.push(...items), { clock });
  holding.add('a', 10);
  holding.clear();
  holding.add('b', 5);
  advanceTo(100);
  expect(released).toEqual(['b']);
});

test('what is added while others are released keeps its place', () => {
  const { clock, advanceTo } = fakeClock();
  const released: string[] = [];
  const holding = createHolding<string>(
    (items) => {
      released.push(...items);
      if (items.includes('a')) holding.add('c', 0);
    },
    { clock },
  );
  holding.add('a', 10);
  holding.add('b', 20);
  advanceTo(100);
  expect(released).toEqual(['a', 'b', 'c']);
});

test('by how much each is released late is told, and a negative number where it is released sooner', () => {
  const { clock, advanceTo } = fakeClock();
  const lateMs: number[] = [];
  const holding = createHolding<string>(() => {}, { clock, onReleased: (ms) => lateMs.push(ms) });
  holding.add('a', 10.25);
  holding.add('b', 11.25);
  holding.add('c', 12.5);
  advanceTo(100);
  // Timers of whole milliseconds fire at 10, then, after at least one more, at 11 and 12.
  expect(lateMs).toEqual([-0.25, -0.25, -0.5]);
});

import { describe, expect, test } from 'vitest';
import type { Timer } from '../../../infra/clock.ts';
import { makeSchedule, typeOnSchedule } from './schedule.ts';
import { type Action, createTypist } from './typist.ts';

/** A clock that stands still but for what is waited for and what each edit takes. */
function fakeTimer(startMs: number, lateMs = (_dueMs: number) => 0): Timer & { advance(ms: number): void } {
  let now = startMs;
  return {
    nowMs: () => now,
    async until(instantMs) {
      now = Math.max(now, instantMs + lateMs(instantMs));
    },
    advance(ms) {
      now += ms;
    },
  };
}

const REGULAR = { user: 0, users: 1, seed: 1, keysPerSecond: 6, sigilPeriodMs: 10_000, rhythm: 'regular' } as const;
const noFormats = { inline: 0, range: 0, block: 0 };

async function type(options: {
  takesMs: (typed: number) => number;
  endMs: number;
  keysPerSecond?: number;
  formatOdds?: typeof noFormats;
  /** How late the driver's timer is for what is due at an instant. */
  lateMs?: (dueMs: number) => number;
}) {
  const timer = fakeTimer(0, options.lateMs);
  const typed: { action: Action; dueMs: number; sentMs: number; driverLagMs: number }[] = [];
  const skipped: number[] = [];
  const skippedDriverLagMs: number[] = [];
  let skippedSigils = 0;
  let performed = 0;
  await typeOnSchedule({
    schedule: makeSchedule({ ...REGULAR, keysPerSecond: options.keysPerSecond ?? 10 }),
    typist: createTypist({
      ...{ user: 0, seed: 1, edits: [{ kind: 'key', move: 0, text: 'x' }], changeSigils: true },
      formatOdds: options.formatOdds ?? noFormats,
    }),
    startMs: 0,
    endMs: options.endMs,
    timer,
    signal: new AbortController().signal,
    async perform() {
      timer.advance(options.takesMs(performed++));
    },
    events: {
      onTyped: (one) => typed.push(one),
      onSkipped: ({ dueMs, driverLagMs, endsSigil }) => {
        if (endsSigil) skippedSigils++;
        skipped.push(dueMs);
        skippedDriverLagMs.push(driverLagMs);
      },
    },
  });
  return { typed, skipped, skippedDriverLagMs, skippedSigils };
}

describe('a regular schedule', () => {
  test('offsets spread the users over one interval, and never drift', () => {
    const schedule = makeSchedule({ ...REGULAR, user: 3, users: 4 });
    expect(schedule.dueMs(0)).toBeCloseTo(125); // 3/4 of 166.67 ms
    expect(schedule.dueMs(600) - schedule.dueMs(0)).toBeCloseTo(100_000);
  });

  test('each user types one sigil a period, at its own place in it', () => {
    for (const user of [0, 7, 15]) {
      const schedule = makeSchedule({ ...REGULAR, user, users: 16 });
      const starts = Array.from({ length: 180 }, (_, k) => k).filter((k) => schedule.startsSigil(k));
      expect(starts).toHaveLength(3);
      expect(starts[1]! - starts[0]!).toBe(60);
      expect(starts[0]! % 60).toBeLessThanOrEqual(55);
    }
  });
});

describe('a jittered schedule', () => {
  const schedule = makeSchedule({ ...REGULAR, user: 3, users: 4, rhythm: 'jittered' });
  const intervals = Array.from({ length: 3000 }, (_, k) => schedule.dueMs(k) / (1000 / 6));

  test('has each key within its own interval, at any moment of it alike', () => {
    const moments = intervals.map((due, k) => due - k);
    expect(Math.min(...moments)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...moments)).toBeLessThan(1);
    const quarters = Map.groupBy(moments, (moment) => Math.floor(4 * moment));
    for (const quarter of quarters.values()) expect(quarter.length).toBeGreaterThan(650);
  });

  test('is the same whenever it is asked, and another for another user or seed', () => {
    expect(schedule.dueMs(5)).toBe(intervals[5]! * (1000 / 6));
    expect(makeSchedule({ ...REGULAR, user: 3, users: 16, rhythm: 'jittered' }).dueMs(5)).toBe(schedule.dueMs(5));
    for (const other of [{ user: 2 }, { seed: 2 }]) {
      const another = makeSchedule({ ...REGULAR, user: 3, rhythm: 'jittered', ...other });
      expect(another.dueMs(5)).not.toBeCloseTo(schedule.dueMs(5), 3);
    }
  });

  test('has one sigil a period, at a place that is drawn anew, and whole before the next', () => {
    const starts = Array.from({ length: 3000 }, (_, k) => k).filter((k) => schedule.startsSigil(k));
    expect(starts.map((k) => Math.floor(k / 60))).toEqual(Array.from({ length: 50 }, (_, period) => period));
    expect(Math.max(...starts.map((k) => k % 60))).toBeLessThanOrEqual(55);
    expect(new Set(starts.map((k) => k % 60)).size).toBeGreaterThan(20);
  });
});

test('a poisson schedule has random gaps with the interval as mean', () => {
  const schedule = makeSchedule({ ...REGULAR, rhythm: 'poisson' });
  const gaps = Array.from({ length: 3000 }, (_, k) => schedule.dueMs(k + 1) - schedule.dueMs(k));
  const meanMs = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  expect(meanMs).toBeGreaterThan(155);
  expect(meanMs).toBeLessThan(178);
  // Of exponential gaps, 1 − 1/e are shorter than their mean.
  expect(gaps.filter((gap) => gap < meanMs).length / gaps.length).toBeCloseTo(1 - Math.exp(-1), 1);
});

describe('keeping to a schedule', () => {
  test('a late edit makes no other late: the rest stays on its absolute times', async () => {
    // The 8th edit takes 350 ms at 100 ms per key: the next three follow back to back, then all is on time again.
    const { typed, skipped } = await type({ takesMs: (n) => (n === 7 ? 350 : 1), endMs: 2000 });
    expect(skipped).toEqual([]);
    expect(typed).toHaveLength(20);
    const lags = typed
      .filter(({ action }) => action.kind === 'key')
      .map(({ dueMs, sentMs }) => Math.round(sentMs - dueMs));
    expect(lags.filter((lag) => lag > 0)).toEqual([250, 151, 52]);
    // None of this is the driver's own: it sent each edit as soon as it was due and the one before was acknowledged.
    expect(Math.max(...typed.map(({ driverLagMs }) => driverLagMs))).toBe(0);
  });

  test('what is more than a second behind is given up and counted, never typed', async () => {
    // The 10th edit, due at 900, blocks until 3400: of those due meanwhile, all that are more than 1 s behind are
    // skipped, so all that were due before 2400.
    const { typed, skipped } = await type({ takesMs: (n) => (n === 9 ? 2500 : 0), endMs: 6000 });
    expect(typed.length + skipped.length).toBe(60);
    expect(skipped).toEqual(Array.from({ length: 14 }, (_, i) => 1000 + i * 100));
  });

  test('whose fault it is that edits are given up can be told: the browser’s or the driver’s own', async () => {
    const blocked = await type({ takesMs: (n) => (n === 9 ? 2500 : 0), endMs: 6000 });
    expect(Math.max(...blocked.skippedDriverLagMs)).toBe(0);
    // The driver's process stalls for 2.5 s when the edit of 1000 is due: 15 edits, up to that of 2400, are given up.
    const stalled = await type({ takesMs: () => 0, endMs: 6000, lateMs: (dueMs) => (dueMs === 1000 ? 2500 : 0) });
    expect(stalled.skippedDriverLagMs).toEqual(Array.from({ length: 15 }, (_, i) => 2500 - i * 100));
  });

  test('a sigil is given up as a whole', async () => {
    // With 10 keys per second and a period of 10 s, the sigil stands at keys 0–4, 100–104. Blocked from 9.5 to 13 s.
    const { typed, skipped, skippedSigils } = await type({ takesMs: (n) => (n === 95 ? 3500 : 0), endMs: 15_000 });
    const sigilKeys = typed.filter(({ action }) => action.kind === 'sigil-key');
    expect(sigilKeys).toHaveLength(5);
    expect(skippedSigils).toBe(1);
    expect(typed.length + skipped.length).toBe(150);
  });
});

test('of three sigils, one is deleted and one formatted when the next is whole, a period later', async () => {
  const { typed } = await type({ takesMs: () => 0, endMs: 60_000, formatOdds: { ...noFormats, block: 1e-9 } });
  const changes = typed.flatMap(({ action, dueMs }) =>
    'sigil' in action && action.kind !== 'sigil-key' ? [{ ...action, dueMs }] : [],
  );
  // A sigil is at the keys 0 to 4 of each period of 100, and a key takes 100 ms.
  expect(changes).toEqual([
    { kind: 'sigil-delete', sigil: '00@19', dueMs: 20_500 },
    { kind: 'sigil-format', sigil: '00@2h', format: 'bold', dueMs: 30_500 },
    { kind: 'sigil-delete', sigil: '00@4x', dueMs: 50_500 },
  ]);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openRecords } from '../../analysis/database.ts';
import { ORIGIN_MS, writeHandMadeTrial } from '../../analysis/test-data/hand-made-trial.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { type ClockMeasurement, clockBoundMs } from './clock-bound.ts';

const window = { fromMs: 10_000, toMs: 20_000 };
const at = (atMs: number, offsetMs: number, errorMs: number): ClockMeasurement => ({ atMs, offsetMs, errorMs });

describe('clock bound', () => {
  test('golden: the worse of the measurements around, and half of their distance at 15 ppm', () => {
    // 10,000 ms × 15 ppm / 2 = 0.075 ms. The first stretch, with its error of 1.2, lies before the window.
    const measured = [at(-5000, 7, 1.2), at(5000, 7, 0.4), at(15_000, 8, 0.5), at(25_000, 9, 0.3)];
    expect(clockBoundMs(measured, window)).toBeCloseTo(0.575, 9);
    expect(clockBoundMs(measured, null)).toBeCloseTo(1.275, 9);
  });

  test('golden: beyond the last measurement, 100 ppm of the time until the window’s end', () => {
    // Its 4,000 is the coordinator's 5,000: 15,000 ms × 100 ppm = 1.5 ms.
    expect(clockBoundMs([at(4000, 1000, 2)], window)).toBeCloseTo(3.5, 9);
  });

  test('nothing measured, nothing known', () => {
    expect(clockBoundMs([], window)).toBeNull();
  });

  test('the analysis finds the same bounds', async () => {
    const microseconds = (min: number, max: number) => fc.integer({ min, max }).map((each) => each / 1000);
    const measurement = fc.record({
      atMs: fc.integer({ min: 0, max: 40_000 }),
      offsetMs: microseconds(-3000, 3000),
      errorMs: microseconds(0, 5000),
    });
    // One trial with many users costs one database.
    const users = fc.array(
      fc.tuple(fc.integer({ min: -30_000, max: 30_000 }), fc.array(measurement, { minLength: 1 })),
      {
        minLength: 60,
        maxLength: 60,
      },
    );
    const [drawn] = fc.sample(users, 1) as [[number, ClockMeasurement[]][]];
    const clocks = drawn.map(([skewMs, measured]) =>
      measured.map(({ atMs, offsetMs, errorMs }) => at(ORIGIN_MS + atMs - skewMs, offsetMs + skewMs, errorMs)),
    );
    const directory = await mkdtemp(join(tmpdir(), 'clock-bound-'));
    try {
      const lines = (measured: ClockMeasurement[]) => measured.map((each): RecordLine => ({ type: 'clock', ...each }));
      await writeHandMadeTrial(directory, { users: clocks.map((each) => ({ clocks: [], lines: lines(each) })) });
      await using records = await openRecords([directory]);
      const found = await records.numbers("SELECT errorMs FROM clocks WHERE process <> 'coordinator' ORDER BY process");
      const span = { fromMs: ORIGIN_MS + window.fromMs, toMs: ORIGIN_MS + window.toMs };
      expect(found).toHaveLength(clocks.length);
      for (const [user, measured] of clocks.entries()) {
        expect(found[user]).toBeCloseTo(clockBoundMs(measured, span)!, 6);
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

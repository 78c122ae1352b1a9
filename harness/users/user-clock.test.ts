import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClockOffset } from '../../infra/clock.ts';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { CLOCK_PERIOD_MS, createUserClock } from './user-clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A clock whose measurements are given: of the screen against this process, and of the coordinator against it. */
function clockOf(measured: { screen: ClockOffset[]; coordinator: ClockOffset[] }, sourceErrorMs?: number) {
  const lines: RecordOf<'clock'>[] = [];
  const rounds: (number | undefined)[] = [];
  const next = (offsets: ClockOffset[]) => {
    const offset = offsets.length > 1 ? offsets.shift()! : offsets[0];
    if (offset === undefined) throw new Error('Chrome is gone');
    return offset;
  };
  const clock = createUserClock({
    driver: {
      async measureClock(asked) {
        rounds.push(asked);
        return next(measured.screen);
      },
    },
    control: {
      measureClock: async () => next(measured.coordinator),
      record: (...added: RecordLine[]) => lines.push(...(added as RecordOf<'clock'>[])),
    },
    sourceErrorMs: sourceErrorMs === undefined ? undefined : async () => sourceErrorMs,
  });
  return { clock, lines, rounds };
}

describe('user clock', () => {
  test('golden: the record says how the coordinator stands against the screen; errors add', async () => {
    // Screen = own + 5 ± 0.2, coordinator = own − 100 ± 0.3: coordinator = screen − 105 ± 0.5.
    const { clock, lines } = clockOf(
      { screen: [{ offsetMs: 5, errorMs: 0.2 }], coordinator: [{ offsetMs: -100, errorMs: 0.3 }] },
      0.7,
    );
    await clock.measure();
    expect(lines).toMatchObject([{ type: 'clock', offsetMs: -105, errorMs: 0.5, sourceErrorMs: 0.7 }]);
    expect(clock.toScreenMs(1000)).toBe(1005);
    expect(clock.fromCoordinatorMs(1000)).toBe(1100);
  });

  test('while typing it measures every period, with few exchanges, until it is stopped', async () => {
    const { clock, lines, rounds } = clockOf({
      screen: [{ offsetMs: 0, errorMs: 0.1 }],
      coordinator: [{ offsetMs: 0, errorMs: 0.1 }],
    });
    await clock.measure();
    clock.keepMeasuring({ user: 0, users: 5 }, () => {});
    await vi.advanceTimersByTimeAsync(2000 + 3 * CLOCK_PERIOD_MS);
    expect(lines).toHaveLength(1 + 4);
    expect(rounds[0]).toBeUndefined();
    expect(Math.max(...rounds.slice(1).map(Number))).toBeLessThan(12);
    clock.stop();
    await vi.advanceTimersByTimeAsync(5 * CLOCK_PERIOD_MS);
    expect(lines).toHaveLength(1 + 4);
  });

  test('the coordinator’s offset is followed; the screen’s stays, since stamps are converted by it', async () => {
    const { clock, lines } = clockOf({
      screen: [
        { offsetMs: 5, errorMs: 0.5 },
        { offsetMs: 25, errorMs: 30 },
        { offsetMs: 5.1, errorMs: 0.1 },
      ],
      coordinator: [
        { offsetMs: 100, errorMs: 0.3 },
        { offsetMs: 101, errorMs: 0.3 },
        { offsetMs: 102, errorMs: 0.3 },
      ],
    });
    for (let count = 0; count < 3; count++) await clock.measure();
    expect(lines.map(({ offsetMs }) => offsetMs)).toEqual([95, 96, 97]);
    // A poor measurement changes nothing; a better one says that 5 is wrong by 0.2 at most.
    expect(lines.map(({ errorMs }) => errorMs)).toEqual([0.8, 0.8, expect.closeTo(0.5, 9)]);
    expect(clock.fromCoordinatorMs(1000)).toBe(898);
  });

  test('what goes wrong while typing is told once, and not after it was stopped', async () => {
    const errors: string[] = [];
    const failing = () => clockOf({ screen: [], coordinator: [] }).clock;
    failing().keepMeasuring({ user: 0, users: 10 }, ({ message }) => errors.push(message));
    const stopped = failing();
    stopped.keepMeasuring({ user: 0, users: 10 }, ({ message }) => errors.push(message));
    stopped.stop();
    await vi.advanceTimersByTimeAsync(3 * CLOCK_PERIOD_MS);
    expect(errors).toEqual(['Chrome is gone']);
  });

  test('nothing is converted before the first measurement', () => {
    const { clock } = clockOf({ screen: [], coordinator: [] });
    expect(() => clock.toScreenMs(1)).toThrow('before it was measured');
  });
});

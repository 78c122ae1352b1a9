import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainOffsets, checkedBy, invertOffset, nowMs, offsetFrom, realTimer } from './clock.ts';

describe('clock offset', () => {
  test('the bound holds whatever the two directions of an exchange took', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -30_000, max: 30_000, noNaN: true }),
        fc.array(fc.tuple(fc.double({ min: 0, max: 500, noNaN: true }), fc.double({ min: 0, max: 500, noNaN: true })), {
          minLength: 1,
          maxLength: 20,
        }),
        (trueOffsetMs, delays) => {
          const exchanges = delays.map(([thereMs, backMs], index) => {
            const sentMs = 1_000_000 + index * 1000;
            return { sentMs, otherMs: sentMs + thereMs + trueOffsetMs, receivedMs: sentMs + thereMs + backMs };
          });
          const { offsetMs, errorMs } = offsetFrom(exchanges);
          expect(Math.abs(offsetMs - trueOffsetMs)).toBeLessThanOrEqual(errorMs + 1e-6);
        },
      ),
    );
  });

  test('offsets chain and invert, and their errors add', () => {
    // page = driver + 5 ± 0.2; coordinator = driver − 100 ± 0.3; so coordinator = page − 105 ± 0.5.
    const driverToPage = { offsetMs: 5, errorMs: 0.2 };
    const driverToCoordinator = { offsetMs: -100, errorMs: 0.3 };
    const pageToCoordinator = chainOffsets(invertOffset(driverToPage), driverToCoordinator);
    expect(pageToCoordinator.offsetMs).toBe(-105);
    expect(pageToCoordinator.errorMs).toBeCloseTo(0.5);
  });

  test('an offset in use stays, and its bound stays true while it gets tighter, also after the clock was moved', () => {
    const ms = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    // Measured ± error around a true offset of 0, before and after the clock was moved by so much.
    const measurement = fc.tuple(ms(0, 50), ms(-1, 1));
    fc.assert(
      fc.property(measurement, measurement, fc.oneof(fc.constant(0), ms(-500, 500)), (older, newer, movedMs) => {
        const kept = { offsetMs: older[1] * older[0], errorMs: older[0] };
        const other = { offsetMs: movedMs + newer[1] * newer[0], errorMs: newer[0] };
        const checked = checkedBy(kept, other);
        expect(checked.offsetMs).toBe(kept.offsetMs);
        // A move that the errors could explain is not seen.
        const seen = Math.abs(other.offsetMs - kept.offsetMs) > kept.errorMs + other.errorMs;
        if (movedMs === 0 || seen) {
          expect(Math.abs(movedMs - kept.offsetMs)).toBeLessThanOrEqual(checked.errorMs + 1e-9);
        }
        if (movedMs === 0) expect(checked.errorMs).toBeLessThanOrEqual(kept.errorMs + 1e-9);
      }),
    );
    // 10 ± 2, and now 11 ± 0.5: it lies between 10.5 and 11.5, so 10 is wrong by 1.5 at most.
    expect(checkedBy({ offsetMs: 10, errorMs: 2 }, { offsetMs: 11, errorMs: 0.5 }).errorMs).toBe(1.5);
  });

  test('no exchange is an error, not an offset of 0', () => {
    expect(() => offsetFrom([])).toThrow(RangeError);
  });
});

test('the timer is never early, does not wait for what is past, and ends with its signal, for its reason', async () => {
  const dueMs = nowMs() + 20;
  await realTimer.until(dueMs);
  expect(nowMs()).toBeGreaterThanOrEqual(dueMs);
  await realTimer.until(dueMs);
  const stopped = new AbortController();
  const waiting = realTimer.until(nowMs() + 60_000, stopped.signal);
  stopped.abort(new Error('Ctrl-C'));
  await expect(waiting).rejects.toThrow('Ctrl-C');
  await expect(realTimer.until(dueMs, stopped.signal)).rejects.toThrow('Ctrl-C');
});

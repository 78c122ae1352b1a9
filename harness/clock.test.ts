import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainOffsets, invertOffset, offsetFrom } from './clock.ts';

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

  test('no exchange is an error, not an offset of 0', () => {
    expect(() => offsetFrom([])).toThrow(RangeError);
  });
});

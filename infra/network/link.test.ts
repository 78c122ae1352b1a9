import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addsNothing, createLane, type Link } from './link.ts';

const plain: Link = { oneWayDelayMs: 30, jitterMs: 0, bandwidthBytesPerSecond: null };

describe('link', () => {
  test('golden: a chunk waits for those before it, is sent at the bandwidth, and travels', () => {
    const lane = createLane({ ...plain, bandwidthBytesPerSecond: 1000 }, 1);
    // 100 bytes at 1,000 bytes/s take 100 ms. The second comes while the first is being sent, until 200; the third
    // finds the link free.
    expect(lane(100, 100)).toBe(100 + 100 + 30);
    expect(lane(150, 50)).toBe(200 + 50 + 30);
    expect(lane(1000, 10)).toBe(1000 + 10 + 30);
  });

  test('without bandwidth and jitter each chunk takes the delay, whatever its size', () => {
    const lane = createLane(plain, 1);
    expect([lane(0, 1), lane(0, 1e9), lane(5, 0)]).toEqual([30, 30, 35]);
  });

  test('jitter stays within its bounds, comes from the seed, and centres on the delay', () => {
    const link = { ...plain, jitterMs: 10 };
    const delaysOf = (seed: number) => {
      const lane = createLane(link, seed);
      return Array.from({ length: 4000 }, (_, index) => lane(index, 80) - index);
    };
    const delays = delaysOf(7);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...delays)).toBeLessThanOrEqual(40);
    // The mean of 4,000 draws has a standard error of 10 / √3 / √4000 = 0.09 ms.
    expect(Math.abs(delays.reduce((sum, each) => sum + each, 0) / 4000 - 30)).toBeLessThan(0.4);
    expect(delaysOf(7)).toEqual(delays);
    expect(delaysOf(8)).not.toEqual(delays);
  });

  test('however chunks come, no more than the bandwidth passes, and none overtakes the time it must take', () => {
    const chunks = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 10_000 })), {
      minLength: 1,
      maxLength: 50,
    });
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1000, max: 1_000_000 }), (gapsAndSizes, bandwidthBytesPerSecond) => {
        const lane = createLane({ ...plain, bandwidthBytesPerSecond }, 1);
        let arrivedMs = 0;
        let total = 0;
        for (const [gapMs, bytes] of gapsAndSizes) {
          arrivedMs += gapMs;
          total += bytes;
          const leftMs = lane(arrivedMs, bytes);
          const sendingMs = (1000 * bytes) / bandwidthBytesPerSecond;
          expect(leftMs).toBeGreaterThanOrEqual(arrivedMs + sendingMs + 30 - 1e-6);
          expect(leftMs - 30).toBeGreaterThanOrEqual((1000 * total) / bandwidthBytesPerSecond - 1e-6);
        }
      }),
    );
  });

  test('what adds nothing needs no line', () => {
    expect(addsNothing({ ...plain, oneWayDelayMs: 0 })).toBe(true);
    expect(addsNothing(plain)).toBe(false);
    expect(addsNothing({ oneWayDelayMs: 0, jitterMs: 0, bandwidthBytesPerSecond: 1e6 })).toBe(false);
  });
});

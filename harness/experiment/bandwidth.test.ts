import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatBandwidth, parseBandwidth } from './bandwidth.ts';

test('golden: bits per second are read as bytes per second', () => {
  expect(parseBandwidth('8kbit/s')).toBe(1000);
  expect(parseBandwidth('20Mbit/s')).toBe(2_500_000);
  expect(parseBandwidth('1.5Gbit/s')).toBe(187_500_000);
});

test.each(['20', '20 Mbit/s', '20MB/s', '-1Mbit/s', '20mbit/s', ''])('%j is none', (text) => {
  expect(parseBandwidth(text)).toBeNull();
});

test('what is written is read back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e9 }), (bytesPerSecond) => {
      expect(parseBandwidth(formatBandwidth(bytesPerSecond))).toBeCloseTo(bytesPerSecond, 6);
    }),
  );
  expect(formatBandwidth(2_500_000)).toBe('20Mbit/s');
  expect(formatBandwidth(12_500)).toBe('100kbit/s');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAbout, formatBandwidth, formatDuration, parseBandwidth, parseDuration } from './units.ts';

test('reads each unit, and fractions', () => {
  expect(['500ms', '10s', '2.5s', '5m', '1h', '0s'].map(parseDuration)).toEqual([
    500, 10_000, 2_500, 300_000, 3_600_000, 0,
  ]);
});

test.each(['10', '', 's', '-1s', '1 s', '1m30s', '.5s', '1e3s', '10S', '5min'])('refuses %j', (text) => {
  expect(parseDuration(text)).toBeNull();
});

test('a written duration reads back as itself', () => {
  fc.assert(fc.property(fc.nat(100_000_000), (durationMs) => parseDuration(formatDuration(durationMs)) === durationMs));
});

test('takes the largest unit without a fraction', () => {
  expect([300_000, 90_000, 2_500, 3_600_000, 0].map(formatDuration)).toEqual(['5m', '90s', '2500ms', '1h', '0s']);
});

test('at a glance', () => {
  expect([400, 42_000, 60_000, 380_000, 11_100_000, 3_599_900].map(formatAbout)).toEqual([
    '0 s',
    '42 s',
    '1 min',
    '6 min 20 s',
    '3 h 5 min',
    '1 h',
  ]);
});

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

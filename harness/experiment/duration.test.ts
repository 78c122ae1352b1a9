import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAbout, formatDuration, parseDuration } from './duration.ts';

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

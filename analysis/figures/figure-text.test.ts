import { describe, expect, test } from 'vitest';
import { cellOf } from '../test-data/written-cell.ts';
import { figureNamed, HEADLINE_FIGURES } from './catalogue.ts';
import { formatEstimate, formatFigureOf, formatHeadline, formatHolds } from './figure-text.ts';

const CELL = cellOf({
  validTrials: 3,
  throughputPercent: 99.83,
  localLatencyMs: { p50: 17.9, p95: 34.2, p99: null, samples: 70 },
  keyLatencyMs: { p50: 16, p95: 104, p98: null, samples: 700 },
  serverCpuPercent: 104.2,
  machineCpuPercent: 60,
  ci95: { 'localLatencyMs.p50': { low: 10.5, high: 32.9 }, throughputPercent: { low: 99.52, high: 100 } },
});
const headline = (name: string) => HEADLINE_FIGURES.find((figure) => figure.name === name)!;
const text = (name: 'localLatencyMs.p50' | 'keyLatencyMs.p50' | 'keyLatencyMs.p95', cell: typeof CELL) =>
  formatFigureOf(figureNamed(name), cell);

test.each([
  [17.94, '18'],
  [9.96, '10'],
  [104.2, '100'],
  [12_346, '12000'],
  [0.444, '0.44'],
  [-1.55, '-1.6'],
  [0, '0'],
  [null, '–'],
])('%d has two significant digits: %s', (value, expected) => {
  expect(formatEstimate(value)).toBe(expected);
});

describe('a headline figure', () => {
  test('stands beside its interval with two digits, and a share with its decimal', () => {
    expect(formatHeadline(headline('localLatencyMs.p50'), CELL)).toBe('18 (11–33)');
    expect(formatHeadline(headline('throughputPercent'), CELL)).toBe('99.8 (99.5–100.0)');
  });

  test('of a single trial says so, and without a value says nothing', () => {
    const single = { ...CELL, validTrials: 1, ci95: {} };
    expect(formatHeadline(headline('serverCpuPercent'), single)).toBe('100 (one trial)');
    expect(formatHeadline(headline('userCpuPercent'), single)).toBe('–');
  });
});

test('a latency is marked above 60 % of the machine, and other figures are not', () => {
  const busy = { ...CELL, figures: { ...CELL.figures, machineCpuPercent: 60.1 } };
  expect([text('localLatencyMs.p50', CELL), text('localLatencyMs.p50', busy)]).toEqual(['18', '18!']);
  expect(formatHeadline(headline('localLatencyMs.p50'), busy)).toBe('18 (11–33)!');
  expect(formatHeadline(headline('serverCpuPercent'), busy)).toBe('100');
});

test('what the browser does not time is at most its least', () => {
  expect([text('keyLatencyMs.p50', CELL), text('keyLatencyMs.p95', CELL)]).toEqual(['≤ 16', '104.0']);
});

test.each([
  ['yes', true, 2],
  ['held once', true, 1],
  ['no', false, 1],
  ['–', null, 1],
] as const)('%s', (words, holds, validTrials) => {
  expect(formatHolds(holds, { validTrials })).toBe(words);
});

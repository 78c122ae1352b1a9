import { expect, test } from 'vitest';
import type { CalibrationRow } from '../../results/formats/calibration.ts';
import { calibrationMarkdown } from './calibration.ts';

const row = (given: Partial<CalibrationRow>): CalibrationRow => ({
  ...{ name: 'server CPU', figure: 'serverCpuPercent', mode: 'optquill', unit: '%', injected: 6, measured: 6.4 },
  ...{ from: 5, to: 7, withinBound: true, because: 'an idle server takes something', reasons: [], ...given },
});

test('golden: each mode beside what was injected, and why a missed bound is what it is', () => {
  const markdown = calibrationMarkdown({
    schemaVersion: 1,
    startedAt: '2026-11-22T10:00:00.000Z',
    full: true,
    machine: { cpu: 'a processor', cores: 2, chrome: 'Chromium 156', calmestPercent: 12.3, busiestPercent: 47.6 },
    rows: [
      row({}),
      row({ mode: 'noquill', measured: null, from: 4.5, withinBound: false, reasons: ['trial 1: clocks disagree'] }),
    ],
  });
  expect(markdown.split('\n')).toEqual([
    '`./scriptorium calibrate --full`, three trials of each, 22 November 2026, on 2 cores of a processor (Chromium 156); all cores together were 12 to 48 % busy. 1 of 2 bounds held.',
    '',
    '| figure | injected | bound | optquill | noquill | unit |',
    '| --- | --- | --- | --- | --- | --- |',
    '| server CPU | 6.0 | 4.5 to 7.0 | 6.4 | – (missed) | % |',
    '',
    '- missed: server CPU, `noquill`. The bound: an idle server takes something. Not measured: trial 1: clocks disagree.',
  ]);
});

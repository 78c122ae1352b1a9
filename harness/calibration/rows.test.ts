import { expect, test } from 'vitest';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { writtenOf } from '../../analysis/test-data/written-cell.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { EXPECTATIONS } from './expectations.ts';
import { formatRows, type MeasuredCells, rowsOf } from './rows.ts';

const SIZE = { frameworks: ['one'], modes: ['optquill'], userCounts: [2], trials: 1, seconds: 60 };
const cell: CellSummary = {
  ...writtenOf(syntheticReport(SIZE).cells[0]!),
  validTrials: 1,
  reasons: [],
  clockErrorMs: 0.5,
};
const latency = (p50: number) => ({ p50, p95: null, p99: null, samples: 24 });

/** Cells whose figures are exactly what was injected. */
function exactCells(): MeasuredCells {
  const sound: CellSummary = {
    ...cell,
    localLatencyMs: latency(8),
    endToEndLatencyMs: latency(5),
    throughputPercent: 100,
    worstUserThroughputPercent: 100,
    serverCpuPercent: 1,
    userCpuPercent: 9,
    serverMemoryMiB: 80,
    userMemoryMiB: 150,
    userBytesPerEdit: { sent: 25, received: 24 },
  };
  return {
    none: sound,
    held: {
      ...sound,
      localLatencyMs: latency(28),
      endToEndLatencyMs: latency(85),
      userMemoryMiB: 200,
      serverMemoryMiB: 96.5,
      userBytesPerEdit: { sent: 1025, received: 1024 },
    },
    busy: { ...sound, endToEndLatencyMs: latency(120), serverCpuPercent: 7, userCpuPercent: 15 },
    slowKeys: { ...sound, localLatencyMs: latency(108), serverCpuPercent: 7 },
    far: { ...sound, endToEndLatencyMs: latency(175), throughputPercent: 91.7, worstUserThroughputPercent: 83.3 },
    late: { ...sound, endToEndLatencyMs: { ...latency(9167), p95: 9917 }, seenInTimePercent: 0 },
    changes: { ...sound, deletionLatencyMs: latency(155), formatLatencyMs: latency(305) },
    lost: {
      ...sound,
      ...{ trials: 3, validTrials: 0, failedTrials: 3 },
      ...{ sigilsArrivedPercent: 75, seenInTimePercent: 75 },
    },
  };
}

const rowsIn = (mode: string, cells: MeasuredCells) => rowsOf(mode, cells, { full: true });
const missed = (cells: MeasuredCells) =>
  rowsIn('optquill', cells).flatMap(({ name, withinBound }) => (withinBound ? [] : [name]));

test('where each figure is what was injected, every bound holds, and the table says nothing more', () => {
  expect(missed(exactCells())).toEqual([]);
  const lines = formatRows(rowsIn('optquill', exactCells())).split('\n');
  expect(lines).toHaveLength(1 + EXPECTATIONS.length);
  expect(lines[1]).toMatch(/^local latency p50 +optquill +20\.0 +20\.0 +3\.3 to 39\.7 +ms +✓$/);
});

test('trials that show nothing of what was injected miss every bound that tells of it', () => {
  const { none } = exactCells();
  const blind = { none, held: none, busy: none, slowKeys: none, far: none, late: none, lost: none, changes: none };
  const seen = EXPECTATIONS.map(({ name }) => name).filter((name) => !missed(blind).includes(name));
  expect(seen).toEqual(['end to end p50, nothing on the way']);
});

test('a latency below the delay is a miss, but for what the clocks may be wrong by', () => {
  const cells = exactCells();
  const busy = (p50: number) => missed({ ...cells, busy: { ...cells.busy, endToEndLatencyMs: latency(p50) } });
  expect(busy(114.6)).toEqual([]);
  expect(busy(114.4)).toEqual(['end to end p50, server holds']);
  expect(busy(134.6)).toEqual([]);
  expect(busy(134.8)).toEqual(['end to end p50, server holds']);
});

test('what is lost at one user must fail every trial; one that counts all the same vouches for nothing', () => {
  const cells = exactCells();
  const lost = { ...cells.lost, validTrials: 1, failedTrials: 2 };
  expect(missed({ ...cells, lost })).toEqual(['trials failed, edits lost at one of both']);
  expect(missed({ ...cells, lost: { ...lost, validTrials: 3, failedTrials: 0 } })).toHaveLength(3);
});

test('a figure that one trial has too few sigils for is asked of a full calibration only', () => {
  const [quick, full] = [false, true].map((full) => rowsOf('noquill', exactCells(), { full }).map(({ name }) => name));
  expect(full!.filter((name) => !quick!.includes(name))).toEqual([
    'end to end p95, every 20th edit 10 s late',
    'seen in time, every 20th edit 10 s late',
  ]);
});

test('a quick calibration says nothing of late and lost sigils in a mode that it does not try them in', () => {
  const names = rowsOf('optquill', exactCells(), { full: false }).map(({ name }) => name);
  expect(names.some((name) => name.includes('lost'))).toBe(false);
  expect(names).toContain('server CPU');
});

test('what was not measured is a miss, and says why', () => {
  const cells = exactCells();
  const invalid = { ...cells.held, validTrials: 0, reasons: ['clocks disagree'] };
  const rows = rowsIn('noquill', { ...cells, held: invalid });
  const row = rows.find(({ name }) => name === 'user memory')!;
  expect(row).toMatchObject({ measured: null, withinBound: false, reasons: ['clocks disagree'] });
  expect(formatRows(rows)).toContain('missed: user memory in noquill. The bound: two Chromes');
  expect(missed({ ...cells, busy: { ...cells.busy, userCpuPercent: null } })).toEqual(['user CPU']);
});

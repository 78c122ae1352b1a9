import { expect, test } from 'vitest';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { EXPECTATIONS, formatRows, type MeasuredCells, rowsOf } from './rows.ts';

const SIZE = { frameworks: ['one'], modes: ['optquill'], userCounts: [2], trials: 1, seconds: 60 };
const cell: CellSummary = {
  ...syntheticReport(SIZE).cells[0]!.summary,
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
      userMemoryMiB: 200,
      serverMemoryMiB: 98.8,
      userBytesPerEdit: { sent: 1025, received: 1024 },
    },
    busy: { ...sound, endToEndLatencyMs: latency(120), serverCpuPercent: 7, userCpuPercent: 15 },
    slowKeys: { ...sound, localLatencyMs: latency(108), serverCpuPercent: 7 },
    near: { ...sound, endToEndLatencyMs: latency(65) },
    far: { ...sound, endToEndLatencyMs: latency(175), throughputPercent: 95, worstUserThroughputPercent: 90 },
  };
}

const missed = (cells: MeasuredCells) =>
  rowsOf('optquill', cells).flatMap(({ figure, withinBound }) => (withinBound ? [] : [figure]));

test('where each figure is what was injected, every bound holds, and the table says nothing more', () => {
  expect(missed(exactCells())).toEqual([]);
  const lines = formatRows(rowsOf('optquill', exactCells())).split('\n');
  expect(lines).toHaveLength(1 + EXPECTATIONS.length);
  expect(lines[1]).toMatch(/^local latency p50 +optquill +20\.0 +20\.0 +3\.3 to 39\.7 +ms +✓$/);
});

test('trials that show nothing of what was injected miss every bound that tells of it', () => {
  const { none } = exactCells();
  const blind = { none, held: none, busy: none, slowKeys: none, near: none, far: none };
  const seen = EXPECTATIONS.map(({ name }) => name).filter((name) => !missed(blind).includes(name));
  expect(seen).toEqual(['end to end p50, nothing on the way']);
});

test('a latency below the delay is a miss, but for what the clocks may be wrong by', () => {
  const cells = exactCells();
  const near = (p50: number) => missed({ ...cells, near: { ...cells.near, endToEndLatencyMs: latency(p50) } });
  expect(near(59.6)).toEqual([]);
  expect(near(59.4)).toEqual(['end to end p50, delay line']);
  expect(near(79.6)).toEqual([]);
  expect(near(79.8)).toEqual(['end to end p50, delay line']);
});

test('what was not measured is a miss, and says why', () => {
  const cells = exactCells();
  const invalid = { ...cells.held, validTrials: 0, reasons: ['clocks disagree'] };
  const rows = rowsOf('noquill', { ...cells, held: invalid });
  const row = rows.find(({ figure }) => figure === 'user memory')!;
  expect(row).toMatchObject({ measured: null, withinBound: false, reasons: ['clocks disagree'] });
  expect(formatRows(rows)).toContain('missed: user memory in noquill. The bound: two Chromes');
  expect(missed({ ...cells, busy: { ...cells.busy, userCpuPercent: null } })).toEqual(['user CPU']);
});

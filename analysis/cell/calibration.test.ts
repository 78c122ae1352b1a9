import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CalibrationRow } from '../../results/formats/calibration.ts';
import type { CellSummary, Summary } from '../../results/formats/summary.ts';
import { nameCells, usersChart } from '../charts/chart-model.ts';
import { chartsOver } from '../figures/catalogue.ts';
import { makeTables } from '../report/tables.ts';
import { formatMarkdownTable, formatTable } from '../tables/summary-table.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { lastCalibration, missedBounds, withMissedBounds } from './calibration.ts';

const row = (figure: string | null, mode: string, withinBound: boolean): CalibrationRow => ({
  ...{ name: 'injected', figure, mode, unit: 'ms', injected: 1, measured: 2, from: 0, to: 1, withinBound },
  ...{ because: 'it is so', reasons: [] },
});
const CALIBRATION = {
  rows: [
    row('localLatencyMs.p50', 'optquill', true),
    row('localLatencyMs.p50', 'optquill', false),
    row('serverCpuPercent', 'optquill', false),
    row('userCpuPercent', 'noquill', false),
    row(null, 'noquill', false),
  ],
};

const report = syntheticReport({
  ...{ frameworks: ['one'], modes: ['optquill', 'noquill'], userCounts: [2], trials: 3, seconds: 60 },
});

test('a figure that missed any of its bounds in a mode is missed in that mode', () => {
  expect(missedBounds(CALIBRATION, 'optquill')).toEqual(['localLatencyMs.p50', 'serverCpuPercent']);
  expect(missedBounds(CALIBRATION, 'noquill')).toEqual(['userCpuPercent']);
  expect(missedBounds(CALIBRATION)).toHaveLength(3);
  expect(missedBounds(CALIBRATION, 'gdocs')).toEqual([]);
  expect(missedBounds(null, 'optquill')).toEqual([]);
});

test('it is marked and named in every table, and in no other mode', () => {
  const cells = report.cells.map((cell) => ({ ...cell, summary: withMissedBounds(cell.summary, CALIBRATION) }));
  const [optquill, noquill] = cells.map(({ summary }) => summary) as [CellSummary, CellSummary];
  expect(optquill.notes.at(-1)).toMatch(/^marked \*, .* in this mode: local latency, median; server CPU$/);
  expect(noquill.notes.at(-1)).toMatch(/: user CPU$/);
  const summary = { schemaVersion: 1, experiment: 'x', startedAt: '', environment: {}, cells: [optquill] } as Summary;
  for (const table of [formatTable(summary), formatMarkdownTable(summary)]) {
    expect(table).toMatch(/\d\* \/ [\d.]+ /);
    expect(table).toContain('marked *, ');
    expect(table.match(/\d\*/g)).toHaveLength(2);
  }
  const marked = makeTables({ ...report, cells }, 2).filter(({ rows }) =>
    rows.flat().some((text) => text.includes('*')),
  );
  expect(marked.map(({ id }) => id)).toEqual(
    expect.arrayContaining(
      ['localLatencyMs.p50-optquill', 'userCpuPercent-noquill', 'resources'].map((id) =>
        id.toLowerCase().replace('.', '-'),
      ),
    ),
  );
});

test('a chart of it says so', () => {
  const cells = nameCells(
    report.cells.map((cell) => ({ ...cell, summary: withMissedBounds(cell.summary, CALIBRATION) })),
  );
  const figure = chartsOver('users').find(({ name }) => name === 'serverCpuPercent')!;
  const chartOf = (mode: string) => usersChart(figure, cells, { mode, tier: 'unknown' });
  expect(chartOf('optquill').title).toMatch(/\*$/);
  expect(chartOf('optquill').hint).toMatch(/; \* the last calibration missed its bound$/);
  expect(chartOf('noquill').title).not.toContain('*');
});

test('a later calibration takes the place of the earlier one, and a cell without figures has none to mark', () => {
  const { summary } = report.cells[0]!;
  const marked = withMissedBounds(summary, CALIBRATION);
  expect(withMissedBounds(marked, { rows: [] })).toEqual({ ...summary, missedBounds: [] });
  expect(withMissedBounds({ ...summary, validTrials: 0 }, CALIBRATION).missedBounds).toEqual([]);
});

test('where none is kept there is none; one that cannot be read is no silence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kept-calibration-'));
  try {
    const path = join(folder, 'calibration.json');
    expect(lastCalibration(path)).toBe(null);
    await writeFile(path, '{}');
    expect(() => lastCalibration(path)).toThrow();
  } finally {
    await rm(folder, { recursive: true });
  }
});

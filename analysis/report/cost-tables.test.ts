import { expect, test } from 'vitest';
import { headingOf } from '../tables/table.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { marginalTable, seriesTable } from './cost-tables.ts';
import type { ReportCell, TypingReport } from './report-data.ts';
import { makeTables } from './tables.ts';

/** With its environment, which says what others' cost is told over. */
function reportWith(options: Parameters<typeof syntheticReport>[0]) {
  const data = syntheticReport(options);
  for (const run of data.runs) run.environment = { ...run.environment, frameworks: { loopback: { baseline: true } } };
  return data;
}

const size = { modes: ['noquill', 'optquill'], userCounts: [2, 4], trials: 3, seconds: 20 };

test('each framework’s cost less that of the one that does nothing, of the same mode and users', () => {
  const data = reportWith({ ...size, frameworks: ['loopback', 'yjs', 'sharedb'] });
  for (const cell of data.cells) {
    const { framework, users } = cell.parameters;
    const own = { loopback: 10, yjs: 13, sharedb: 9 }[framework]!;
    const figures = { userCpuPercent: own + users, serverCpuPercent: null, userMemoryMiB: 100 * own };
    Object.assign(cell, { validTrials: 3, figures: { ...cell.figures, ...figures } });
  }
  const { columns, rows } = marginalTable(data);
  expect(columns.map(headingOf)).toEqual([...['framework', 'mode', 'users', 'server CPU %', 'user CPU %', 'user MiB']]);
  expect(rows).toHaveLength(8);
  expect(rows).toContainEqual(['yjs', 'noquill', '4', '–', '3.0', '300.0']);
  expect(rows).toContainEqual(['sharedb', 'optquill', '2', '–', '-1.0', '-100.0']);
});

test('there is none without it', () => {
  expect(marginalTable(syntheticReport({ ...size, frameworks: ['yjs', 'sharedb'] })).rows).toEqual([]);
});

test('each table is made for each tier by itself, and costs over the baseline for all of them', () => {
  const tiers = { loopback: 'library', loro: 'library', yjs: 'deployed' } as const;
  const tables = makeTables(reportWith({ ...size, frameworks: Object.keys(tiers), tiers }), 2);
  const frameworksOf = (id: string) => {
    const { columns, rows, title } = tables.find((table) => table.id === id)!;
    const at = columns.findIndex(({ heading }) => heading === 'framework');
    return { title, names: at === -1 ? columns.slice(1).map(headingOf) : rows.map((row) => row[at]) };
  };
  expect(frameworksOf('throughputpercent-noquill-library').names).toEqual(['loopback', 'loro']);
  expect(frameworksOf('throughputpercent-noquill-deployed').names).toEqual(['yjs']);
  expect(frameworksOf('resources-library').names).not.toContain('yjs');
  expect(new Set(frameworksOf('marginal-deployed').names)).toEqual(new Set(['yjs']));
  expect(frameworksOf('marginal-deployed').title).toMatch(/, with their own servers$/);
  expect(new Set(tables.map(({ id }) => id)).size).toBe(tables.length);
});

const RUN = { experiment: 'attach', startedAt: '2026-11-27T13:00:00Z' } as TypingReport['runs'][number];

function cell(users: number, figures: Record<string, number>, ...ofTrials: Record<string, number>[]): ReportCell {
  const ran = ofTrials.map((own) => ({ figures: own }));
  return { run: 0, parameters: { framework: 'yjs', mode: 'node', users }, figures, ran } as unknown as ReportCell;
}

test('series have a column each, and their trials in brackets', () => {
  const trials = [3, 4].map((documents) => ({ 'serverSeries.documents': documents }));
  const cells = [
    cell(2, { 'serverSeries.documents': 3.5, 'serverSeries.asked_total/s': 10, userCpuPercent: 1 }, ...trials),
    cell(4, { 'serverSeries.documents': 5 }, { 'serverSeries.documents': 5 }),
    cell(8, { userCpuPercent: 1 }),
  ];
  const { columns, rows } = seriesTable({ cells, runs: [RUN] });
  expect(columns.map(({ heading }) => heading)).toEqual(['framework', 'mode', 'users', 'documents', 'asked_total/s']);
  expect(rows).toEqual([
    ['yjs', 'node', '2', '3.50 (3.00; 4.00)', '10.0'],
    ['yjs', 'node', '4', '5.00', '–'],
  ]);
});

import { expect, test } from 'vitest';
import type { ReportCell, ReportData } from './report-data.ts';
import { seriesTable } from './series-table.ts';

const RUN = { experiment: 'attach', startedAt: '2026-11-27T13:00:00Z' } as ReportData['runs'][number];

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

import { expect, test } from 'vitest';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { SUMMARY_SCHEMA_VERSION } from '../../results/formats/summary.ts';
import { versionsBeside } from './versions.ts';

const size = { frameworks: ['yjs'], modes: ['node'], userCounts: [4], seconds: 10, trials: 1 };
const [cell] = syntheticReport(size).cells.map(({ summary }) => summary);

test('each version is a row, with intervals where there are some', () => {
  const startedAt = '2026-11-22T12:00:00Z';
  const older = {
    ...{ ...cell!, framework: 'yjs@13.5.53', trials: 5, validTrials: 4, serverCpuPercent: 5.55 },
    ci95: { ...cell!.ci95, serverCpuPercent: { low: 5, high: 6.04 } },
  };
  const text = versionsBeside({
    plan: { schemaVersion: 1, startedAt, trials: [], experiment: { name: 'versions', trials: 5 } },
    summary: {
      ...{ schemaVersion: SUMMARY_SCHEMA_VERSION, experiment: 'versions', startedAt },
      cells: [older, { ...older, framework: 'yjs@13.6.33', serverCpuPercent: null }],
      environment: { cpu: 'AMD', cores: 2, memoryMiB: 24_000, os: 'Linux', chrome: null, node: 'v24.1.0' },
    },
  });
  const [heading, , ...rows] = text.split('\n').filter((line) => line.startsWith('|'));
  const column = heading!.split('|').findIndex((each) => each.trim() === 'server CPU %');
  expect(rows.map((row) => [1, 2, column].map((at) => row.split('|')[at]!.trim()))).toEqual([
    ['`yjs@13.5.53`', '4 of 5', '5.5 (5.0–6.0)'],
    ['`yjs@13.6.33`', '4 of 5', '–'],
  ]);
});

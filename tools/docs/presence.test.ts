import { expect, test } from 'vitest';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { SUMMARY_SCHEMA_VERSION, type Summary } from '../../results/formats/summary.ts';
import { presenceCosts, presenceMeans } from './presence.ts';

const size = { frameworks: ['yjs'], modes: ['optquill'], userCounts: [4], seconds: 10, trials: 1 };
const [cell] = syntheticReport(size).cells.map(({ summary }) => summary);

/** The texts of a table's rows, without its heading. */
function rowsOf(markdown: string): string[][] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => row.split('|').map((text) => text.trim()));
}

test('each cell that exists twice is a row, without and with presence', () => {
  const startedAt = '2026-11-22T12:00:00Z';
  const without = { ...cell!, users: 4, userCpuPercent: 12.34, serverCpuPercent: null };
  const beside = { ...without, mode: 'optquill+presence', userCpuPercent: 101.6, serverCpuPercent: 2 };
  const summary: Summary = {
    ...{ schemaVersion: SUMMARY_SCHEMA_VERSION, experiment: 'presence', startedAt },
    cells: [without, beside, { ...without, users: 8 }],
    environment: { cpu: 'AMD', cores: 2, memoryMiB: 24_000, os: 'Linux', chrome: 'Chromium 156', node: 'v24.1.0' },
  };
  const experiment = { name: 'presence', trials: 1 };
  const text = presenceCosts({ plan: { schemaVersion: 1, startedAt, trials: [], experiment }, summary });
  expect(rowsOf(text).map((row) => row.slice(1, 5))).toEqual([['`yjs`', '4', '12.3 → 102', '– → 2.0']]);
});

test('every framework says by what means it has presence, or why not', async () => {
  const frameworks = await discoverFrameworks();
  expect(frameworks.filter(({ about }) => about.presence === undefined).map(({ name }) => name)).toEqual([]);
  const means = rowsOf(presenceMeans(frameworks)).map(([, framework, what]) => [framework, what!.slice(0, 5)]);
  expect(means).toContainEqual(['`json-joy`', 'none.']);
  expect(means).toContainEqual(['`loro`', 'an Ep']);
});

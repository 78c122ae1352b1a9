import { expect, test } from 'vitest';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { marginalTable } from './marginal-table.ts';

const size = { modes: ['noquill', 'optquill'], userCounts: [2, 4], trials: 3, seconds: 20 };

test('each framework’s cost less that of the one that does nothing, of the same mode and users', () => {
  const data = syntheticReport({ ...size, frameworks: ['loopback', 'yjs', 'sharedb'] });
  for (const { summary } of data.cells) {
    const own = { loopback: 10, yjs: 13, sharedb: 9 }[summary.framework]!;
    Object.assign(summary, { validTrials: 3, userCpuPercent: own + summary.users, serverCpuPercent: null });
    summary.userMemoryMiB = 100 * own;
  }
  const { columns, rows } = marginalTable(data);
  expect(columns.map(({ heading }) => heading)).toEqual([
    ...['framework', 'mode', 'users', 'server CPU %', 'user CPU %', 'user MiB'],
  ]);
  expect(rows).toHaveLength(8);
  expect(rows).toContainEqual(['yjs', 'noquill', '4', '–', '3.0', '300.0']);
  expect(rows).toContainEqual(['sharedb', 'optquill', '2', '–', '-1.0', '-100.0']);
});

test('there is none without it', () => {
  expect(marginalTable(syntheticReport({ ...size, frameworks: ['yjs', 'sharedb'] })).rows).toEqual([]);
});

import { expect, test } from 'vitest';
import { rows } from '../charts/forms/rows.ts';
import type { Tier } from '../scenarios/cell.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { chartFiles } from './chart-files.ts';
import { pageDataOf } from './report-page.ts';

/** Many frameworks of two tiers, few user counts. */
const tiers: Record<string, Tier> = { loro: 'library', 'yjs-relay': 'library', yjs: 'deployed', sharedb: 'deployed' };
const report = syntheticReport({
  ...{
    frameworks: Object.keys(tiers),
    tiers,
    modes: ['optquill', 'noquill'],
    userCounts: [2, 4],
    trials: 3,
    seconds: 90,
  },
});
const charts = chartFiles(pageDataOf(report));

test('each chart of each mode and tier has a file, those over time for each number of users', () => {
  const ofDeployed = [...charts.keys()].filter((name) => /^server-cpu.*-deployed/.test(name));
  expect(ofDeployed.sort()).toEqual([
    'server-cpu-deployed-noquill',
    'server-cpu-deployed-optquill',
    ...['noquill-2', 'noquill-4', 'optquill-2', 'optquill-4'].map((of) => `server-cpu-over-time-deployed-${of}`),
  ]);
});

test('frameworks are rows where there are few numbers of users, which lie beside one another in them', () => {
  const { form, lines } = charts.get('local-median-deployed-optquill')!;
  expect(form).toBe(rows);
  const figures = (framework: string) =>
    [2, 4].map((users) => {
      const cell = report.cells.find(({ name }) => name === `${framework}-optquill-${users}`);
      return cell!.figures['localLatencyMs.p50'];
    });
  expect(lines.map(({ name, points }) => [name, points.map(({ value }) => value)])).toEqual([
    ['yjs', figures('yjs')],
    // Its last cell has no valid trial.
    ['sharedb', [figures('sharedb')[0], null]],
  ]);
});

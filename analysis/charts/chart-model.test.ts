import { expect, test } from 'vitest';
import type { FaultSummary } from '../../results/formats/summary.ts';
import { chartsOver } from '../figures/catalogue.ts';
import type { ReportCell } from '../report/report-data.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { changed } from '../test-data/written-cell.ts';
import { describeChart, isEmpty, nameCells, timeChart, usersChart } from './chart-model.ts';
import { users } from './forms/over.ts';
import { rows } from './forms/rows.ts';

const overUsers = (id: string) => chartsOver('users').find(({ chart }) => chart.id === id)!;
const overTime = (id: string) => chartsOver('time').find(({ chart }) => chart.id === id)!;

// Of the last framework the largest cell has no valid trial, of the second the smallest has no 95th percentile.
const { cells } = syntheticReport({
  frameworks: ['yjs', 'sharedb'],
  modes: ['optquill', 'noquill'],
  userCounts: [2, 4, 8],
  trials: 3,
  seconds: 90,
});
const named = nameCells(cells);
const cellOf = (name: string) => cells.find((cell) => cell.name === name)!;

test('a figure against users: a line per framework, with intervals, of one mode only', () => {
  const model = usersChart(overUsers('local-median'), named, { mode: 'optquill', tier: 'unknown' });
  expect(model).toMatchObject({ form: users, of: 'optquill', bound: { value: 100, kind: 'at most' } });
  expect(model.lines.map(({ name }) => name)).toEqual(['yjs', 'sharedb']);
  const { figures, ci95 } = cellOf('yjs-optquill-4');
  expect(model.lines[0]!.points[1]).toEqual({
    x: 4,
    value: figures['localLatencyMs.p50'],
    interval: ci95['localLatencyMs.p50'],
    instead: null,
  });
});

test('a cell without a valid trial has no figure, even where its summary holds one; what was not measured is null', () => {
  const lying = changed(cellOf('sharedb-optquill-8'), { serverCpuPercent: 12 });
  const model = usersChart(overUsers('server-cpu'), nameCells([lying]), { mode: 'optquill', tier: 'unknown' });
  expect(model.lines[0]!.points).toEqual([{ x: 8, value: null, interval: null, instead: 'not valid' }]);
  expect(model.absent).toEqual(['sharedb, 8 users: not valid']);
  expect(isEmpty(model)).toBe(false);
  expect(describeChart(model)).toContain('No figures: sharedb, 8 users: not valid.');

  const percentiles = usersChart(overUsers('local-p95'), named, { mode: 'optquill', tier: 'unknown' }).lines[1]!.points;
  expect(percentiles.map(({ value }) => value === null)).toEqual([true, false, true]);
  expect(percentiles[0]!.instead).toBe(null);
});

test('with one or two user counts frameworks are rows', () => {
  const few = named.filter(({ cell }) => cell.parameters.users > 2);
  expect(usersChart(overUsers('throughput'), few, { mode: 'noquill', tier: 'unknown' }).form).toBe(rows);
});

test('charts of tiers side by side have one form, whichever user counts each has', () => {
  const tiered = nameCells(cells).map((one) => {
    const isSmall = one.cell.parameters.users === 2 && one.line === 'sharedb';
    return { ...one, cell: { ...one.cell, tier: isSmall ? 'library' : 'deployed' } };
  }) as typeof named;
  const formOf = (tier: 'library' | 'deployed') =>
    usersChart(overUsers('server-cpu'), tiered, { mode: 'noquill', tier }).form;
  expect([formOf('library'), formOf('deployed')]).toEqual([users, users]);
});

test('saved state is shown against Quill’s', () => {
  const cell = changed(cellOf('yjs-optquill-2'), { savedStateKiB: 9, quillStateKiB: 6 });
  const ratio = (one: ReportCell) =>
    usersChart(overUsers('state-ratio'), nameCells([one]), { mode: 'optquill', tier: 'unknown' }).lines[0]!.points[0]!
      .value;
  expect(ratio(cell)).toBe(1.5);
  expect(ratio(changed(cell, { quillStateKiB: null }))).toBe(null);
});

test('a figure over time: each bucket at its middle, warm-up as long as its buckets', () => {
  const model = timeChart(overTime('document-length'), named, { mode: 'noquill', users: 4, tier: 'unknown' });
  expect(model.of).toBe('noquill, 4 users');
  // 90 s of typing: 20 s of warm-up, 60 s measured, 10 s of profile.
  expect(model.spans).toEqual([{ of: 'warm-up', name: 'warm-up', fromS: 0, toS: 20 }]);
  const { series } = cellOf('yjs-noquill-4');
  expect(model.lines[0]!.points.map(({ x, value }) => [x, value])).toEqual(
    series.map(({ figures }, index) => [5 + 10 * index, figures.documentCharacters]),
  );
  expect(timeChart(overTime('document-length'), named, { mode: 'noquill', users: 8, tier: 'unknown' }).absent).toEqual([
    'sharedb: not valid',
  ]);
});

test('what was asked to break is shaded over time, once for all cells, and named', () => {
  const fault = { fault: 0, kind: 'server-restart', users: 4, atS: 30, forS: 5 };
  const struck = cells.map((cell, index) => {
    // Another's server takes longer to come back; one did not.
    const faults = [
      { ...fault, forS: 5 + index },
      { ...fault, fault: 1, kind: 'offline', atS: 50, forS: null },
    ];
    return { ...cell, faults: faults as FaultSummary[] };
  });
  const of = { mode: 'optquill', users: 4, tier: 'unknown' } as const;
  const model = timeChart(overTime('document-length'), nameCells(struck), of);
  expect(model.spans).toEqual([
    { of: 'warm-up', name: 'warm-up', fromS: 0, toS: 20 },
    { of: 'fault', name: 'server restart', fromS: 30, toS: 39 },
    { of: 'fault', name: 'offline', fromS: 50, toS: 90 },
  ]);
  expect(describeChart(model)).toContain('Shaded: server restart, 30 to 39 s; offline, 50 to 90 s.');
  const { legend, needsLegend } = model.form.layOut(model, false);
  expect(needsLegend).toBe(true);
  expect(legend.map(({ words }) => words)).toEqual(expect.arrayContaining(['sharedb', 'server restart, 30 to 39 s']));
});

test('a framework of several runs is several lines, and nothing is drawn of nothing', () => {
  const again = cells.filter(({ parameters }) => parameters.framework === 'yjs').map((cell) => ({ ...cell, run: 1 }));
  const both = nameCells([...cells, ...again]);
  const { lines } = usersChart(overUsers('user-cpu'), both, { mode: 'optquill', tier: 'unknown' });
  expect(lines.map(({ name }) => name)).toEqual(['yjs, run 1', 'sharedb', 'yjs, run 2']);
  const [first, , second] = lines.map(({ style }) => style);
  expect([second!.light, second!.dark]).toEqual([first!.light, first!.dark]);
  expect(second!.point).toBe(first!.point);
  expect(second!.dash).not.toEqual(first!.dash);
  expect(isEmpty(usersChart(overUsers('user-cpu'), [], { mode: 'optquill', tier: 'unknown' }))).toBe(true);
});

test('no chart holds frameworks of two tiers, and each says which it is', () => {
  const tiered = nameCells(
    syntheticReport({
      ...{ frameworks: ['yjs', 'loro'], modes: ['noquill'], userCounts: [2], trials: 3, seconds: 90 },
      tiers: { yjs: 'deployed', loro: 'library' },
    }).cells,
  );
  const of = { mode: 'noquill', users: 2, tier: 'library' } as const;
  for (const model of [
    usersChart(overUsers('server-cpu'), tiered, of),
    timeChart(overTime('document-length'), tiered, of),
  ]) {
    expect(model.lines.map(({ name }) => name)).toEqual(['loro']);
    expect(model.tier).toBe('over the same relay');
    expect(describeChart(model)).toContain(', over the same relay: loro.');
  }
  // Where there is one tier only, there is nothing to tell it from.
  const alone = usersChart(overUsers('server-cpu'), [tiered[1]!], of);
  expect(alone).toMatchObject({ tier: null, lines: [{ name: 'loro' }] });
});

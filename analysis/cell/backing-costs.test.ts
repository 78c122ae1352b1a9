import { expect, test } from 'vitest';
import { STORE_NAMES } from '../../editors/base/stores.ts';
import { cellMode, KEPT_STORES, modeWithout, serversIn, storeIn } from '../../results/formats/run-directory.ts';
import { cellSummarySchema } from '../../results/formats/summary.ts';
import { backingTables } from '../report/cost-tables.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { writtenOf } from '../test-data/written-cell.ts';
import { BACKING_COSTS, backingCosts } from './backing-costs.ts';
import { readCell } from './cell-json.ts';

/** Cells of eight users and three trials, by mode, with what its store adds to the server's CPU, and its servers to the latency. */
function backed(modes: Readonly<Record<string, { cpu?: number; times?: number; own?: Record<string, number> }>>) {
  const size = { frameworks: ['yjs'], modes: ['node'], userCounts: [8], trials: 3, seconds: 20 };
  const data = syntheticReport(size);
  const [first] = data.cells;
  const cells = Object.entries(modes).map(([mode, { cpu = 0, times = 1, own = {} }]) => ({
    ...first!,
    parameters: { ...first!.parameters, mode },
    figures: { ...first!.figures, ...own },
    ran: first!.ran.map((trial, index) => ({
      ...trial,
      figures: {
        serverCpuPercent: 5 + index + cpu,
        serverMemoryMiB: null,
        'endToEndLatencyMs.p50': (30 + index) * times,
      },
    })),
  }));
  return { ...data, cells };
}

test('a mode’s name tells of its store and its servers', () => {
  const mode = cellMode({ mode: 'node', presence: true, readers: 100, store: 'sqlite', servers: 3 });
  expect(mode).toBe('node+presence+100-readers+sqlite+3-servers');
  expect([storeIn(mode), serversIn(mode), storeIn('node'), serversIn('node+presence')]).toEqual([
    'sqlite',
    3,
    undefined,
    1,
  ]);
  expect(modeWithout(mode, 'store')).toBe('node+presence+100-readers+3-servers');
  expect(modeWithout(mode, 'servers')).toBe('node+presence+100-readers+sqlite');
  expect(['memory', ...KEPT_STORES]).toEqual(STORE_NAMES);
});

test('what a store adds, and several servers: pairs of trials of cells that differ in that alone', () => {
  expect(BACKING_COSTS.store.map(({ name }) => name)).toEqual(BACKING_COSTS.servers.map(({ name }) => name));
  const { cells } = backed({
    node: {},
    'node+sqlite': { cpu: 2 },
    'node+postgres+3-servers': { cpu: 9, times: 2 },
    'node+postgres': { cpu: 3 },
    'node+sqlite+20ms-writes': { cpu: 4 },
  });
  const costs = backingCosts(cells);
  // Of three servers in memory there is no cell, so what Postgres costs them is not known.
  expect(costs.map(({ of, mode }) => [of, mode])).toEqual([
    ['store', 'node+sqlite'],
    ['store', 'node+postgres'],
    ['store', 'node+sqlite+20ms-writes'],
    ['servers', 'node+postgres+3-servers'],
  ]);
  expect(costs[0]!.costs).toMatchObject([
    { figure: 'endToEndLatencyMs.p50', is: 'times', value: 1, pairs: 3 },
    { figure: 'serverCpuPercent', is: 'more', value: 2, pairs: 3 },
  ]);
  const { ci95 } = costs[0]!.costs[1]!;
  expect([ci95!.low < 2, ci95!.high > 2]).toEqual([true, true]);
  expect(costs[2]!.costs).toMatchObject([{ value: 1 }, { value: 4 }]);
  expect(costs[3]!.costs).toMatchObject([{ value: 2 }, { value: 6 }]);
});

test('the tables have a row for each such cell, with what only it has; no other run has them', () => {
  const own = { writtenBytesPerCharacter: 41.5, 'endToEndSameServerMs.p50': 33 };
  const [stores, servers] = backingTables(
    backed({ node: {}, 'node+sqlite': { cpu: 2, own }, 'node+files+2-servers': { own } }),
  );
  expect(stores!.rows.map((row) => row.slice(0, 5))).toEqual([
    ['yjs', 'node+sqlite', 'sqlite', '1', '8'],
    ['yjs', 'node+files+2-servers', 'files', '2', '8'],
  ]);
  expect(stores!.rows[0]).toContainEqual(expect.stringMatching(/^\+2\.0 \(/));
  expect(stores!.rows.map((row) => row.at(-1))).toEqual(['41.5', '41.5']);
  expect(servers!.rows).toHaveLength(1);
  expect(servers!.rows[0]!.slice(-1)).toEqual(['33']);
  for (const { columns, rows } of [stores!, servers!]) expect(rows[0]).toHaveLength(columns.length);
  expect(backingTables(backed({ node: {} })).flatMap(({ rows }) => rows)).toEqual([]);
});

test('the summary names these figures only of a cell that has them', () => {
  const own = { 'endToEndSameServerMs.p50': 33, busiestServerCpuPercent: 60 };
  const { cells } = backed({ node: {}, 'node+sqlite+2-servers': { own } });
  const [plain, written] = cells.map((cell) => writtenOf(cell));
  expect(plain).not.toHaveProperty('store');
  expect(plain).not.toHaveProperty('busiestServerCpuPercent');
  expect(written).toMatchObject({ store: 'sqlite', servers: 2, busiestServerCpuPercent: 60 });
  const parsed = cellSummarySchema.parse(written);
  expect(parsed.endToEndSameServerMs).toEqual({ p50: 33, p95: null });
  expect(readCell(parsed, 'typing').figures).toMatchObject({ 'endToEndSameServerMs.p50': 33 });
});

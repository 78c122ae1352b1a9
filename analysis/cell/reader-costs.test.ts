import { expect, test } from 'vitest';
import { readersTable } from '../report/cost-tables.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { READER_FIGURES, readerCosts } from './reader-costs.ts';

/** Cells of ten writers and so many readers, three trials each, in which each reader takes 0.02 % of a core and 1/32 MiB. */
function read(counts: readonly number[]) {
  const data = syntheticReport({ frameworks: ['yjs'], modes: ['node'], userCounts: [10], trials: 3, seconds: 20 });
  const [cell] = data.cells;
  const cells = counts.map((readers) => ({
    ...cell!,
    parameters: { ...cell!.parameters, mode: readers === 0 ? 'node' : `node+${readers}-readers` },
    ran: cell!.ran.map((trial, index) => ({
      ...trial,
      figures: {
        serverCpuPercent: 5 + 0.02 * readers + index,
        serverMemoryMiB: 80 + readers / 32,
        editsPerSecond: 50,
      },
    })),
  }));
  return { ...data, cells };
}

test('what a reader adds is a slope over the numbers of readers, of CPU for each edit too', () => {
  expect(READER_FIGURES.map(({ name }) => name)).toEqual([
    'serverCpuPercent',
    'serverMemoryMiB',
    'serverNetworkKiBps.sent',
  ]);
  const [cost] = readerCosts(read([0, 100, 300]).cells);
  expect(cost).toMatchObject({ framework: 'yjs', mode: 'node', users: 10, readers: [0, 100, 300] });
  expect(cost!.costs).toMatchObject([
    { figure: 'serverCpuPercent', perReader: { value: 0.02 }, usPerEdit: { value: 4 } },
    {
      figure: 'serverMemoryMiB',
      perReader: { value: 0.03125, ci95: { low: 0.03125, high: 0.03125 } },
      usPerEdit: null,
    },
  ]);
  const { ci95 } = cost!.costs[0]!.perReader;
  expect(ci95!.low).toBeLessThan(0.02);
  expect(ci95!.high).toBeGreaterThan(0.02);
});

test('of a server that nobody sees there is none', () => {
  const unseen = read([0, 100]).cells.map((cell) => ({
    ...cell,
    ran: cell.ran.map((trial) => ({ ...trial, figures: {} })),
  }));
  expect(readerCosts(unseen)).toEqual([]);
});

test('with one number there is none, and the table is empty', () => {
  expect(readerCosts(read([100]).cells)).toEqual([]);
  expect(readersTable(read([100])).rows).toEqual([]);
  const { columns, rows } = readersTable(read([0, 100]));
  expect(rows).toHaveLength(1);
  expect(rows[0]!.slice(0, 4)).toEqual(['yjs', 'node', '10', '0, 100']);
  expect(rows[0]).toHaveLength(columns.length);
});

import { expect, test } from 'vitest';
import type { DocumentCell } from '../../results/formats/documents.ts';
import { readCell } from '../cell/cell-json.ts';
import type { Cell, MeasuredRun } from '../scenarios/cell.ts';
import { publishedSlopes, slopeTables } from './growth-tables.ts';

function cell(of: Record<string, string | number>, p50: number | null): Cell {
  const written = {
    ...{ version: '1', trials: 1, validTrials: 1, failedTrials: 0, verdict: 'valid' as const, reasons: [], notes: [] },
    ...{ messages: [], ci95: {}, curves: {}, ...of, 'persistMs.p50': p50 },
  };
  return readCell(written as DocumentCell, 'rest');
}

function tablesOf(cells: Cell[]) {
  return slopeTables({ scenario: 'rest', cells } as unknown as MeasuredRun);
}

test('each store and way has the exponent of its cost over the sizes, for each durability, beside the published one', () => {
  const cells = [1000, 10_000, 100_000].flatMap((edits) => [
    cell({ store: 'sqlite', way: 'rewrite', edits, durable: 'no' }, 1e-5 * edits),
    cell({ store: 'sqlite', way: 'rewrite', edits, durable: 'yes' }, 1e-3 * Math.sqrt(edits)),
    cell({ store: 'lmdb', way: 'decompose', edits, durable: 'no' }, 0.007),
    cell({ store: 'lmdb', way: 'append', edits, durable: 'no' }, edits === 1000 ? 1 : null),
  ]);
  const [table] = tablesOf(cells);
  expect(table!.rows).toEqual([
    ['sqlite, rewrite, no', '1.00 (1.00 to 1.00)', '1.14 (0.25 to 2.04): whole-state sets'],
    ['sqlite, rewrite, yes', '0.50 (0.50 to 0.50)', '1.14 (0.25 to 2.04): whole-state sets'],
    ['lmdb, decompose, no', '0.00 (0.00 to 0.00)', '0.00: decomposed (bigset)'],
    ['lmdb, append, no', '–', '–'],
  ]);
  expect(tablesOf(cells.slice(0, 4))).toEqual([]);
});

test('Riak’s published costs grow with the size of a whole set, and not with that of a decomposed one', () => {
  expect(publishedSlopes().map(({ name, way, line }) => [name, way, line.slope.toFixed(2)])).toEqual([
    ['whole-state sets', 'rewrite', '1.14'],
    ['delta sets', null, '0.57'],
    ['decomposed (bigset)', 'decompose', '0.00'],
  ]);
});

import { expect, test } from 'vitest';
import type { DocumentCell } from '../../results/formats/documents.ts';
import { publishedSlopes, slopes } from './slopes.ts';

function cell(of: Record<string, string | number>, p50: number | null): DocumentCell {
  return {
    ...{ version: '1', trials: 1, validTrials: 1, failedTrials: 0, verdict: 'valid' as const, reasons: [], notes: [] },
    ...{ ci95: {}, curves: {}, ...of, 'persistMs.p50': p50 },
  };
}

test('each store and way has the exponent of its cost over the sizes, for each durability', () => {
  const sizes = [1000, 10_000, 100_000];
  const cells = sizes.flatMap((edits) => [
    cell({ store: 'sqlite', way: 'rewrite', edits, durable: 'no' }, 1e-5 * edits),
    cell({ store: 'sqlite', way: 'rewrite', edits, durable: 'yes' }, 1e-3 * Math.sqrt(edits)),
    cell({ store: 'lmdb', way: 'decompose', edits, durable: 'no' }, 0.007),
  ]);
  expect(slopes(cells).map(({ store, way, durable, exponent }) => [store, way, durable, exponent.toFixed(3)])).toEqual([
    ['sqlite', 'rewrite', 'no', '1.000'],
    ['sqlite', 'rewrite', 'yes', '0.500'],
    ['lmdb', 'decompose', 'no', '0.000'],
  ]);
  expect(slopes(cells)[0]!.sizes).toEqual(sizes);
  expect(slopes(cells)[0]!.interval!.low).toBeCloseTo(1);
});

test('two sizes give a slope without an interval, one gives none; what was not measured is left out', () => {
  const of = { store: 'level', way: 'append', durable: 'no' };
  const two = [cell({ ...of, edits: 1000 }, 1), cell({ ...of, edits: 4000 }, 2), cell({ ...of, edits: 8000 }, null)];
  expect(slopes(two)).toEqual([{ ...of, exponent: expect.closeTo(0.5), interval: null, sizes: [1000, 4000] }]);
  expect(slopes(two.slice(1))).toEqual([]);
});

test('Riak’s published costs grow with the size of a whole set, and not with that of a decomposed one', () => {
  const found = publishedSlopes().map(({ name, way, exponent, sizes }) => [
    name,
    way,
    exponent.toFixed(2),
    sizes.length,
  ]);
  expect(found).toEqual([
    ['whole-state sets', 'rewrite', '1.14', 3],
    ['delta sets', null, '0.57', 3],
    ['decomposed (bigset)', 'decompose', '0.00', 2],
  ]);
});

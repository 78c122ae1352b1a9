import { expect, test } from 'vitest';
import { BOUNDED_FIGURES, HEADLINE_FIGURES } from '../figures/catalogue.ts';
import { nestFigures } from '../figures/figure.ts';
import type { Cell } from '../scenarios/cell.ts';
import { cellOf } from '../test-data/written-cell.ts';
import { functionalOf } from './compared-run.ts';

type Interval = { low: number; high: number } | null;

/** A cell that keeps every bound by a tenth, but for its throughput. */
function cell(throughput: number | null, interval: Interval): Cell {
  const kept = BOUNDED_FIGURES.map(({ name, bound }) =>
    name === 'throughputPercent'
      ? ([name, throughput] as const)
      : ([name, bound.value * (bound.kind === 'at least' ? 1.01 : 0.9)] as const),
  );
  const ci95 = Object.fromEntries(
    HEADLINE_FIGURES.map(({ name }) => [name, name === 'throughputPercent' ? interval : null]),
  );
  return cellOf({ ...nestFigures(kept), ci95 });
}

test.each([
  ['yes', 99.5, { low: 99, high: 100 }],
  ['no', 97, { low: 96.5, high: 97.5 }],
  ['unclear', 98.5, { low: 97.5, high: 99.5 }],
  ['unclear', 97.5, { low: 96.5, high: 98.5 }],
  ['unclear', 97.9, { low: 98.1, high: 98.5 }],
  ['yes', 98.5, null],
  ['no', 97.5, null],
  ['unknown', null, null],
] as const)('%s at a throughput of %s %% within %j', (functional, throughput, interval) => {
  expect(functionalOf(cell(throughput, interval))).toBe(functional);
});

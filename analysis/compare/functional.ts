/** The judgement that a cell is fully functional or not, as far as its trials can tell. */
import type { CellSummary } from '../../results/formats/summary.ts';
import { BOUNDED_FIGURES } from '../figures/catalogue.ts';
import { type BoundedFigure, figureOf, type HeadlineFigureName } from '../figures/figure.ts';

/** `unclear`: it hangs on a figure whose interval over trials reaches to both sides of its bound. */
export type Functional = 'yes' | 'no' | 'unclear' | 'unknown';

/**
 * A bound is missed where the figure lies beyond it and its interval does not reach back; without an interval, which
 * takes 3 trials, the figure alone decides.
 */
export function functionalOf(cell: CellSummary): Functional {
  const answers = BOUNDED_FIGURES.map((figure) => keeps(cell, figure));
  const worst = (['no', 'unclear', 'unknown'] as const).find((answer) => answers.includes(answer));
  return worst ?? 'yes';
}

function keeps(cell: CellSummary, figure: BoundedFigure): Functional {
  const value = figureOf(cell, figure);
  if (value === null) return 'unknown';
  const { value: bound, kind } = figure.bound;
  const interval = cell.ci95[figure.name as HeadlineFigureName] ?? null;
  const isKept = (each: number) => (kind === 'at least' ? each >= bound : each <= bound);
  // The figure pools all samples, so it may lie outside of the interval over trials.
  const answers = new Set([value, ...(interval === null ? [] : [interval.low, interval.high])].map(isKept));
  if (answers.size > 1) return 'unclear';
  return answers.has(true) ? 'yes' : 'no';
}

/** Counts, intervals and ticks as text. Figures are `formatFigure`'s. */
import type { CellSummary } from '../../results/formats/summary.ts';
import { formatFigure, NOTHING } from '../figures/figure-text.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';

/** A tick of an axis: no trailing zeros. */
export function formatTick(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

/** The 95 % interval over trials, or why there is none. */
export function formatInterval(
  interval: { low: number; high: number } | null,
  { validTrials }: Pick<CellSummary, 'validTrials'>,
): string {
  if (interval !== null) return `${formatFigure(interval.low)} to ${formatFigure(interval.high)}`;
  return validTrials < MIN_TRIALS ? 'too few trials' : NOTHING;
}

/** `1 user`, `4 users`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Figures as text, no finer than they are worth. Those of documents range from nanoseconds to minutes: digits count there,
 * not decimals. Browser-safe.
 */

import type { CellSummary } from '../../results/formats/summary.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { type Figure, figureOf } from './figure.ts';

/** The text of a figure that was not measured, or has too few samples. */
export const NOTHING = '–';

/** One decimal below 1000, none above. */
export function formatFigure(figure: number | null): string {
  return figure === null ? NOTHING : figure.toFixed(Math.abs(figure) < 1000 ? 1 : 0);
}

const COUNTED: readonly Figure['unit'][] = ['characters', 'samples', 'receipts'];

/** Stands behind a figure that the last calibration missed its bound on; the cell's notes say so. */
export const MARK = '*';

/** A cell's figure; what is counted has no decimals. */
export function formatFigureOf(figure: Figure, cell: CellSummary): string {
  const value = figureOf(cell, figure);
  const text = value !== null && COUNTED.includes(figure.unit) ? value.toFixed(0) : formatFigure(value);
  return text + markOf(figure, cell);
}

/** Empty where it is none of those, or not known. */
export function markOf(figure: Figure, cell: CellSummary): string {
  return figureOf(cell, figure) !== null && cell.missedBounds?.includes(figure.name) ? MARK : '';
}

/** A figure with its interval, where it has one: `12.3 (10.1–14.9)`. */
export function formatWithInterval(figure: number | null, interval: { low: number; high: number } | null): string {
  if (figure === null || interval === null) return formatFigure(figure);
  return `${formatFigure(figure)} (${formatFigure(interval.low)}–${formatFigure(interval.high)})`;
}

/** An exponent with its interval: `1.93 (1.80 to 2.06)`; either end may be below 0. */
export function formatExponent(exponent: number, interval: { low: number; high: number } | null): string {
  const between = interval === null ? '' : ` (${interval.low.toFixed(2)} to ${interval.high.toFixed(2)})`;
  return `${exponent.toFixed(2)}${between}`;
}

/** Names in a sentence: the first of them, and how many more there are. */
export function enumerate(names: readonly string[], { most, between }: { most: number; between: string }): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(between)} and ${rest} more` : names.join(between);
}

const DIGITS = 3;

/** Three digits, and no fewer before the point: `0.00912`, `12.3`, `15416`. */
export function formatAmount(value: number | null | undefined): string {
  if (value === null || value === undefined) return NOTHING;
  if (value === 0) return '0';
  const before = Math.floor(Math.log10(Math.abs(value))) + 1;
  return value.toFixed(Math.min(6, Math.max(0, DIGITS - before)));
}

/** With its interval, where it has one: `12.3 (10.1–14.9)`. */
export function formatAmountWithin(
  value: number | null,
  interval: { low: number; high: number } | null | undefined,
): string {
  if (value === null || !interval) return formatAmount(value);
  const between = interval.low < 0 ? ' to ' : '–';
  return `${formatAmount(value)} (${formatAmount(interval.low)}${between}${formatAmount(interval.high)})`;
}

/** A figure as a summary keeps it: with far more digits than are significant, and the same on every machine. */
export function roundAmount(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(6));
}

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

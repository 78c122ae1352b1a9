/**
 * Figures as text, no finer than they are worth. Those of documents range from nanoseconds to minutes: digits count there,
 * not decimals. Browser-safe.
 */

import { type Interval, MIN_TRIALS } from '../statistics/interval.ts';
import { BUSY_MACHINE_PERCENT } from './criterion.ts';
import { type CellFigure, type FiguredCell, figureOf, isHeadline } from './figure.ts';

/** The text of a figure that was not measured, or has too few samples. */
export const NOTHING = '–';

/** One decimal below 1000, none above. */
export function formatFigure(figure: number | null): string {
  return figure === null ? NOTHING : figure.toFixed(Math.abs(figure) < 1000 ? 1 : 0);
}

const COUNTED: readonly string[] = ['characters', 'samples', 'receipts'];

/** Two significant digits: what repeats of a trial have in common is hardly more. */
export function formatEstimate(figure: number | null): string {
  if (figure === null) return NOTHING;
  const rounded = Number(figure.toPrecision(2));
  return rounded.toFixed(rounded === 0 ? 0 : Math.max(0, 1 - Math.floor(Math.log10(Math.abs(rounded)))));
}

/** Digits of a figure that has an interval. A share near 100 % tells by what it lacks, so it keeps its decimal. */
export function formatOf({ unit, unitOf }: Pick<CellFigure, 'unit' | 'unitOf'>): typeof formatFigure {
  return unit === '%' && unitOf === undefined ? formatFigure : formatEstimate;
}

/** Stands behind a figure that the last calibration missed its bound on; the cell's notes say so. */
export const MARK = '*';
/** Stands behind a latency that was measured while the machine was busy. */
export const BUSY_MARK = '!';

/** A cell's figure with its marks: with two digits where it has an interval, and none after the point where it is counted. */
export function formatFigureOf(figure: CellFigure, cell: FiguredCell): string {
  const value = figureOf(cell, figure);
  return `${formatAsMeasured(figure, value)}${markOf(figure, cell)}${busyMarkOf(figure, cell)}`;
}

function formatAsMeasured(figure: CellFigure, value: number | null): string {
  if (value !== null && COUNTED.includes(figure.unit)) return value.toFixed(0);
  if (isAtFloor(figure, value)) return `≤ ${FASTEST_KEY_MS}`;
  return isHeadline(figure) || isLatency(figure) ? formatOf(figure)(value) : formatFigure(value);
}

/** Those of keys have steps of 8 ms. */
function isLatency({ source }: CellFigure): boolean {
  return source.pooled === 'quantile' && source.measuredOn !== 'keys';
}

/** The browser reports no event that took less, so a percentile of so much is a bound. */
function isAtFloor({ source }: CellFigure, value: number | null): boolean {
  const isOfKeys = source.pooled === 'quantile' && source.measuredOn === 'keys';
  return isOfKeys && value !== null && value <= FASTEST_KEY_MS;
}

const FASTEST_KEY_MS = 16;

/** Empty where it is none of those, or not known. */
export function markOf(figure: CellFigure, cell: FiguredCell): string {
  return figureOf(cell, figure) !== null && cell.missedBounds.includes(figure.name) ? MARK : '';
}

/** Empty where the machine was less busy, the figure is no latency, or it is not known. */
function busyMarkOf(figure: CellFigure, cell: FiguredCell): string {
  const isLatency = figure.source.pooled === 'quantile' && figureOf(cell, figure) !== null;
  return isLatency && (cell.figures.machineCpuPercent ?? 0) > BUSY_MACHINE_PERCENT ? BUSY_MARK : '';
}

/** A figure with its interval, where it has one: `12 (10–15)`. */
export function formatWithInterval(
  figure: number | null,
  interval: Interval | null,
  format: typeof formatFigure = formatEstimate,
): string {
  if (figure === null || interval === null) return format(figure);
  return `${format(figure)} (${format(interval.low)}–${format(interval.high)})`;
}

/** The words for a cell that has a single valid trial, in place of an interval. */
export const ONE_TRIAL = 'one trial';

/** A headline figure of a cell with its marks, and with its interval, or that it is of one trial. */
export function formatHeadline(figure: CellFigure, cell: FiguredCell): string {
  const value = figureOf(cell, figure);
  const text = formatWithInterval(value, cell.ci95[figure.name] ?? null, formatOf(figure));
  const single = value !== null && cell.validTrials === 1 ? ` (${ONE_TRIAL})` : '';
  return `${text}${markOf(figure, cell)}${busyMarkOf(figure, cell)}${single}`;
}

/** `yes`, `no`, or of a single trial `held once`, since a second one may not hold. */
export function formatHolds(holds: boolean | null, { validTrials }: Pick<FiguredCell, 'validTrials'>): string {
  if (holds === null) return NOTHING;
  return holds ? (validTrials === 1 ? HELD_ONCE : 'yes') : 'no';
}

export const HELD_ONCE = 'held once';

/** An exponent with its interval: `1.93 (1.80 to 2.06)`; either end may be below 0. */
export function formatExponent(exponent: number, interval: Interval | null): string {
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
export function formatAmountWithin(value: number | null, interval: Interval | null | undefined): string {
  if (value === null || !interval) return formatAmount(value);
  const between = interval.low < 0 ? ' to ' : '–';
  return `${formatAmount(value)} (${formatAmount(interval.low)}${between}${formatAmount(interval.high)})`;
}

/** A figure as a summary keeps it: with far more digits than are significant, and the same on every machine. */
export function roundAmount(value: number): number {
  return Number(value.toPrecision(6));
}

/** A tick of an axis: no trailing zeros. */
export function formatTick(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

/** The 95 % interval over trials, or why there is none. */
export function formatInterval(
  interval: Interval | null,
  { validTrials }: Pick<FiguredCell, 'validTrials'>,
  format: typeof formatFigure = formatEstimate,
): string {
  if (interval !== null) return `${format(interval.low)} to ${format(interval.high)}`;
  if (validTrials === 1) return ONE_TRIAL;
  return validTrials < MIN_TRIALS ? 'too few trials' : NOTHING;
}

/** `1 user`, `4 users`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joined(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names);
}

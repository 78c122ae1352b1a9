/** Figures of document scenarios as text: they range from nanoseconds to minutes, so digits count, not decimals. Browser-safe. */
import { NOTHING } from '../figures/figure-text.ts';

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

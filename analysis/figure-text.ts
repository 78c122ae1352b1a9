/** Figures as text, no finer than they are worth. */

/** What was not measured, or has too few samples. */
export const NOTHING = '–';

/** One decimal below 1000, none above. */
export function formatFigure(figure: number | null): string {
  return figure === null ? NOTHING : figure.toFixed(Math.abs(figure) < 1000 ? 1 : 0);
}

/** A figure with its interval, where it has one: `12.3 (10.1–14.9)`. */
export function formatWithInterval(figure: number | null, interval: { low: number; high: number } | null): string {
  if (figure === null || interval === null) return formatFigure(figure);
  return `${formatFigure(figure)} (${formatFigure(interval.low)}–${formatFigure(interval.high)})`;
}

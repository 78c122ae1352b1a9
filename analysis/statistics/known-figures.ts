/** Figures that may be unknown: null is "not measured", and stays out of means instead of counting as 0. */

export function onlyKnown<T>(values: readonly (T | null)[]): T[] {
  return values.filter((value) => value !== null);
}

/** The mean of the figures that are known; null if none is. */
export function meanOfKnown(figures: readonly (number | null)[]): number | null {
  const known = onlyKnown(figures);
  return known.length === 0 ? null : known.reduce((total, figure) => total + figure, 0) / known.length;
}

/** `part` in percent of `whole`; null if there is no whole. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : (100 * part) / whole;
}

/**
 * Three decimals: a microsecond, and far below what any figure is good for. Sums over cores may differ in their last
 * bits from one reading to the next, and the same records must give the same summary.
 */
export function roundFigure(figure: number): number;
export function roundFigure(figure: number | null): number | null;
export function roundFigure(figure: number | null): number | null {
  return figure === null ? null : Math.round(figure * 1000) / 1000;
}

/**
 * Quantiles of samples, and how many samples a quantile needs before it says anything; figures that may be unknown: null is
 * "not measured", and stays out of means instead of counting as 0.
 */

/**
 * Quantile by linear interpolation between the closest ranks (type 7).
 *
 * @param sorted samples in ascending order, in any unit; at least one
 * @param p      probability in [0, 1]
 * @returns      in the samples' unit
 * @throws RangeError where `sorted` is empty or `p` lies outside [0, 1]
 * @see Hyndman & Fan 1996, "Sample Quantiles in Statistical Packages", definition 7
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) throw new RangeError('a quantile needs at least one sample, but there are none');
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile's probability lies in [0, 1], but this is ${p}`);
  const rank = (sorted.length - 1) * p;
  const below = sorted[Math.floor(rank)]!;
  const above = sorted[Math.ceil(rank)]!;
  return below + (above - below) * (rank - Math.floor(rank));
}

/** Of samples in any order, at least one; in their unit. */
export function median(samples: Iterable<number>): number {
  return quantile(Float64Array.from(samples).sort(), 0.5);
}

/** The chance of being wrong that a percentile's own interval may have. */
export const ERROR_RATE = 0.05;

/**
 * True if `n` samples are enough to show their quantile `p`: a two-sided, distribution-free 95 % interval for the quantile
 * must exist. The widest interval, from the least sample to the greatest, misses the quantile if all samples lie on one
 * side of it. That has the probability p^n + (1-p)^n. So the median needs 6 samples, the 95th percentile 59, the 99th 299.
 *
 * @see David & Nagaraja 2003, "Order Statistics", 3rd edition, section 7.1; Hahn & Meeker 1991, "Statistical
 *      Intervals", section 5.2
 */
export function hasEnoughSamples(n: number, p: number): boolean {
  return n > 0 && p ** n + (1 - p) ** n <= ERROR_RATE;
}

/** The least number of samples for which `hasEnoughSamples` holds; `p` strictly between 0 and 1. */
export function neededSamples(p: number): number {
  let n = 1;
  while (!hasEnoughSamples(n, p)) n += 1;
  return n;
}

/**
 * The quantile where there are enough samples for it, else null.
 *
 * @param events how many of the samples are independent of one another; by default all
 */
export function quantileOrNull(sorted: ArrayLike<number>, p: number, events = sorted.length): number | null {
  return hasEnoughSamples(Math.min(events, sorted.length), p) ? quantile(sorted, p) : null;
}

export function onlyKnown<T>(values: readonly (T | null)[]): T[] {
  return values.filter((value) => value !== null);
}

/** True if all of them are, false if one is not; else null, as some are not known. */
export function allHold(answers: readonly (boolean | null)[]): boolean | null {
  if (answers.includes(false)) return false;
  return answers.includes(null) ? null : true;
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

/** For figures that may be small: four digits, wherever they begin. */
export function fourDigits(value: number): number {
  return Number(value.toPrecision(4));
}

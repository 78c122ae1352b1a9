/**
 * Comparison of two means: their difference with its 95 % interval, of groups that may spread differently or of pairs; the
 * comparisons of many that hold together; and equivalence within a bound.
 */
import { CONFIDENCE, criticalValue, describe, type Interval, MIN_TRIALS, type Sample, twoSidedP } from './interval.ts';

export interface Difference {
  /** On the linear scale `b - a`; on the log scale the ratio of geometric means, `b / a`. */
  estimate: number;
  /** Null if a group has too few trials for one. */
  ci95: Interval | null;
  /** How often chance alone gives a difference as large as this or larger; null if there is no interval. */
  p: number | null;
}

interface Resolved {
  /** Resolution of what is counted: 0 if equal figures are equal, as of bytes, else such as 1. By default as they show it. */
  step?: number;
}

/**
 * How group `b` stands to group `a`, by Welch's t. Its coverage is simulated in welch.test.ts.
 *
 * @param a one figure per trial, as `b`; at least one each
 * @returns null if a group is empty, or a figure on the log scale is not above zero
 * @see Welch 1947, "The generalization of 'Student's' problem when several different population variances are involved"
 */
export function compareMeans(
  a: readonly number[],
  b: readonly number[],
  scale: 'linear' | 'log',
  { step: known }: Resolved = {},
): Difference | null {
  if (a.length === 0 || b.length === 0) return null;
  const step = stepOf([...a, ...b], scale, known);
  if (scale === 'linear') return welch(describe(a), describe(b), step);
  if ([...a, ...b].some((figure) => figure <= 0)) return null;
  return asRatio(welch(describe(a.map(Math.log)), describe(b.map(Math.log)), step));
}

/**
 * How `b` stands to `a` where each figure of the one belongs to one of the other, by Student's t over their
 * differences: what moves both of a pair alike drops out. Simulated in comparison-simulated.test.ts.
 *
 * @param pairs at least one
 * @returns null if there is no pair, or a figure on the log scale is not above zero
 */
export function comparePairs(
  pairs: readonly (readonly [a: number, b: number])[],
  scale: 'linear' | 'log',
  { step: known }: Resolved = {},
): Difference | null {
  if (pairs.length === 0) return null;
  const step = stepOf(pairs.flat(), scale, known);
  if (scale === 'linear') return paired(describe(pairs.map(([a, b]) => b - a)), step);
  if (pairs.some(([a, b]) => a <= 0 || b <= 0)) return null;
  return asRatio(paired(describe(pairs.map(([a, b]) => Math.log(b) - Math.log(a))), step));
}

function asRatio({ estimate, ci95, p }: Difference): Difference {
  return { estimate: Math.exp(estimate), ci95: ci95 && { low: Math.exp(ci95.low), high: Math.exp(ci95.high) }, p };
}

function welch(a: Sample, b: Sample, step: number): Difference {
  const estimate = b.mean - a.mean;
  if (a.n < MIN_TRIALS || b.n < MIN_TRIALS) return { estimate, ci95: null, p: null };
  const variance = a.meanVariance + b.meanVariance;
  const welchs = variance ** 2 / (a.meanVariance ** 2 / (a.n - 1) + b.meanVariance ** 2 / (b.n - 1));
  const degrees = variance === 0 ? a.n + b.n - 2 : welchs;
  return judge({ estimate, variance, degrees, step, rounding: (step ** 2 / 12) * (1 / a.n + 1 / b.n) });
}

function paired({ n, mean: estimate, meanVariance: variance }: Sample, step: number): Difference {
  if (n < MIN_TRIALS) return { estimate, ci95: null, p: null };
  return judge({ estimate, variance, degrees: n - 1, step, rounding: step ** 2 / 6 / n });
}

/**
 * Figures may come in steps, such as frames of 8 ms. Where they spread no more than rounding to those steps explains, they say
 * nothing within a step: the true values may lie anywhere in it, in every trial alike, and so equal differences are no proof.
 *
 * @param of.variance the square of the estimate's standard error
 * @param of.rounding the same, if a figure's error were its rounding alone: evenly spread over a step
 */
function judge(of: {
  estimate: number;
  variance: number;
  degrees: number;
  step: number;
  rounding: number;
}): Difference {
  const { estimate, degrees, step, rounding } = of;
  const isRounded = of.variance <= rounding;
  const [error, blur] = isRounded ? [Math.sqrt(rounding), step] : [Math.sqrt(of.variance), 0];
  if (error === 0) return { estimate, ci95: { low: estimate, high: estimate }, p: Number(estimate === 0) };
  const margin = blur + criticalValue(CONFIDENCE, degrees) * error;
  const p = twoSidedP(Math.max(0, Math.abs(estimate) - blur) / error, degrees);
  return { estimate, ci95: { low: estimate - margin, high: estimate + margin }, p };
}

/** Figures are told to a thousandth of their unit, and small ones to as many digits. */
const [DECIMALS, DIGITS] = [3, 6];

/**
 * The greatest step that takes each figure to each other: their resolution, or more if they are few; 0 if all are equal. On the log
 * scale it is as wide as at the least of them.
 */
function stepOf(values: readonly number[], scale: 'linear' | 'log', known?: number): number {
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  if (least === greatest) return 0;
  const before = Math.ceil(Math.log10(Math.max(-least, greatest)));
  const told = 10 ** Math.max(DECIMALS, DIGITS - before);
  const step = known ?? values.map((value) => Math.round((value - least) * told)).reduce(commonDivisor, 0) / told;
  return scale === 'linear' ? step : Math.log1p(step / least);
}

/** @see Euclid, "Elements", book VII, proposition 2 */
function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** How rarely chance may give a single false finding, among all comparisons that are judged together. */
const FAMILY_ERROR = 0.05;

/**
 * Findings among m comparisons. The chance of even one false finding is at most `FAMILY_ERROR`, however the comparisons
 * depend on each other. The smallest p must be below 1/m of that error, the next below 1/(m - 1), until one is not.
 *
 * @returns true for a finding, in the order of `ps`
 * @see Holm 1979, "A simple sequentially rejective multiple test procedure"
 */
export function areFindings(ps: readonly number[]): boolean[] {
  const ascending = ps.map((_, index) => index).sort((a, b) => ps[a]! - ps[b]!);
  const firstFailing = ascending.findIndex((index, rank) => ps[index]! > FAMILY_ERROR / (ps.length - rank));
  const found = new Set(firstFailing === -1 ? ascending : ascending.slice(0, firstFailing));
  return ps.map((_, index) => found.has(index));
}

/** Each of the two tests errs so often. */
const ERROR = 0.05;

export interface Equivalence {
  /** The second of the pairs ÷ the first, geometric mean. */
  ratio: number;
  /** Of the ratio: both tests pass where it lies within the bound. */
  low: number;
  high: number;
  isWithin: boolean;
  /** How often chance alone puts a ratio at the bound as far within it; how often it makes equals as different. */
  pWithin: number;
  pDiffers: number;
}

/**
 * @param pairs above 0, of which there are at least two
 * @param bound such as 0.05: the ratio lies between 1 ÷ 1.05 and 1.05
 * @returns null if a pair lacks a figure, or there are fewer than two
 * @see Schuirmann 1987, "A comparison of the two one-sided tests procedure and the power approach for assessing the
 *      equivalence of average bioavailability"
 */
export function areEquivalent(pairs: readonly (readonly [number, number])[], bound: number): Equivalence | null {
  if (pairs.length < 2 || pairs.some((pair) => pair.some((figure) => !(figure > 0)))) return null;
  const { n, mean, meanVariance } = describe(pairs.map(([first, second]) => Math.log(second / first)));
  const [degrees, error] = [n - 1, Math.sqrt(meanVariance)];
  const margin = criticalValue(1 - 2 * ERROR, degrees) * error;
  const [low, high] = [Math.exp(mean - margin), Math.exp(mean + margin)];
  const isWithin = low >= 1 / (1 + bound) && high <= 1 + bound;
  // From the nearer end of the bound.
  const inwards = Math.log(1 + bound) - Math.abs(mean);
  const p = (distance: number) => (error === 0 ? Number(distance === 0) : twoSidedP(distance / error, degrees));
  const pWithin = inwards > 0 ? p(inwards) / 2 : 1 - p(inwards) / 2;
  return { ratio: Math.exp(mean), low, high, isWithin, pWithin, pDiffers: p(mean) };
}

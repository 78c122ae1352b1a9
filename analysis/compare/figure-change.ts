/** How one figure of a cell changed, and whether that says anything. */
import type { HeadlineFigure } from '../figures/figure.ts';
import { describe, type Interval } from '../statistics/interval.ts';
import { areFindings, compareMeans, comparePairs, type Difference } from '../statistics/welch.ts';

/**
 * Where an interval holds "no change" and also reaches further than this, a change that matters may hide in it: a
 * quarter, for figures that are compared as a ratio.
 */
export const NOISE_BOUND_PERCENT = 25;
/** The same for figures that are themselves percentages of all edits: as much as "fully functional" leaves to lose. */
export const NOISE_BOUND_POINTS = 2;

type ChangeWord =
  | 'faster'
  | 'slower'
  | 'less'
  | 'more'
  | 'no difference found'
  | 'may be chance'
  | 'too noisy to tell'
  | 'too few trials'
  | 'not measured'
  | 'no ratio (0 or less)';

export interface ComparedFigure extends Pick<HeadlineFigure, 'label' | 'scale' | 'better'> {
  name: string;
  unit: string;
}

/** Percentages of all edits are compared in points, everything else in percent. */
export function isShare({ better, unit }: ComparedFigure): boolean {
  return better === 'higher' && unit === '%';
}

export interface FigureChange {
  figure: ComparedFigure;
  /**
   * The centre of the trials' own figures: their mean, or for latencies their geometric mean; null where unknown, or
   * where one of the latencies is not above zero.
   */
  base: number | null;
  new: number | null;
  /** How many trials have the figure; one with too few samples for it has not. */
  trials: { base: number; new: number };
  /** `new - base`, in the figure's unit. */
  difference: number | null;
  /** `new / base - 1`, in percent. */
  changePercent: number | null;
  /** The 95 % interval of the change: in percent of base, but for throughput in the figure's own points. */
  ci95: Interval | null;
  ci95Unit: '%' | 'points';
  /** How often chance alone gives such a change or a larger one; null if there is no interval. */
  p: number | null;
  word: ChangeWord;
  /** Of "no difference found": one of up to so much to either side is not ruled out, in `ci95Unit`. */
  within: number | null;
  /** Null where `word` claims no change. */
  isBetter: boolean | null;
}

/**
 * The resolution of what is counted, by its unit. A size that is the same in every trial has no noise to hide a change in; edits are
 * lost in whole ones, and often as many in every trial, which makes no step of so many.
 */
const STEPS: Readonly<Record<string, number>> = { B: 0, bytes: 0, KiB: 0, times: 0, edits: 1 };

/** Words that claim a change. */
export const CHANGES: ReadonlySet<string> = new Set<ChangeWord>(['faster', 'slower', 'less', 'more']);

/** @param base one figure per valid trial that has it, as `fresh` */
export function compareFigure(figure: ComparedFigure, base: readonly number[], fresh: readonly number[]): FigureChange {
  return changeOf(figure, base, fresh, compareMeans(base, fresh, figure.scale, { step: STEPS[figure.unit] }));
}

/** @param pairs one for each pair of trials that are both valid and have the figure */
export function comparePairedFigure(
  figure: ComparedFigure,
  pairs: readonly (readonly [base: number, fresh: number])[],
): FigureChange {
  const [base, fresh] = [pairs.map(([each]) => each), pairs.map(([, each]) => each)];
  return changeOf(figure, base, fresh, comparePairs(pairs, figure.scale, { step: STEPS[figure.unit] }));
}

function changeOf(
  figure: ComparedFigure,
  base: readonly number[],
  fresh: readonly number[],
  compared: Difference | null,
): FigureChange {
  const centre = { base: centreOf(base, figure.scale), new: centreOf(fresh, figure.scale) };
  const trials = { base: base.length, new: fresh.length };
  const ci95Unit = isShare(figure) ? 'points' : '%';
  if (compared === null || centre.base === null || centre.new === null) {
    const unknown = { difference: null, changePercent: null, ci95: null, p: null, within: null, isBetter: null };
    // Clocks that are known within an error only may give a latency at or below zero, which no ratio can be made of.
    const word = base.length === 0 || fresh.length === 0 ? 'not measured' : 'no ratio (0 or less)';
    return { figure, ...centre, trials, ...unknown, ci95Unit, word };
  }
  const difference = centre.new - centre.base;
  const changePercent = centre.base <= 0 ? null : 100 * (centre.new / centre.base - 1);
  const ci95 = compared.ci95 && scaleInterval(compared.ci95, figure, centre.base);
  const bound = isShare(figure) ? NOISE_BOUND_POINTS : NOISE_BOUND_PERCENT;
  // Of a base of 0 or less there is no percent, so there only the interval as it is can tell.
  const word = ci95 === null ? wordFor(figure, difference, compared.ci95, 0) : wordFor(figure, difference, ci95, bound);
  const within = word === 'no difference found' && ci95 !== null ? Math.max(-ci95.low, ci95.high) : null;
  const isBetter = CHANGES.has(word) ? difference > 0 === (figure.better === 'higher') : null;
  const { p } = compared;
  return { figure, ...centre, trials, difference, changePercent, ci95, ci95Unit, p, word, within, isBetter };
}

/**
 * A ratio as a change in percent; a difference in percent of the base's mean, or as it is. Null: of 0 or less there is no percent. The
 * base's own error is left out, which is as large as the change: simulated in figure-change.test.ts.
 */
function scaleInterval({ low, high }: Interval, figure: ComparedFigure, base: number): Interval | null {
  if (figure.scale === 'log') return { low: 100 * (low - 1), high: 100 * (high - 1) };
  if (isShare(figure)) return { low, high };
  return base <= 0 ? null : { low: (100 * low) / base, high: (100 * high) / base };
}

function wordFor(figure: ComparedFigure, difference: number, ci95: Interval | null, bound: number): ChangeWord {
  if (ci95 === null) return 'too few trials';
  if (ci95.low > 0 || ci95.high < 0) {
    if (figure.unit === 'ms') return difference > 0 ? 'slower' : 'faster';
    return difference > 0 ? 'more' : 'less';
  }
  return Math.max(-ci95.low, ci95.high) > bound ? 'too noisy to tell' : 'no difference found';
}

function centreOf(values: readonly number[], scale: 'linear' | 'log'): number | null {
  if (values.length === 0 || (scale === 'log' && values.some((value) => value <= 0))) return null;
  return scale === 'log' ? Math.exp(describe(values.map(Math.log)).mean) : describe(values).mean;
}

/**
 * Takes back what may be chance among so many figures: a change is claimed where it holds for all of them together.
 *
 * @param changes of every figure of every cell that is compared
 * @returns       how many could be judged, and the same changes in the same order
 */
export function correctForMany(changes: readonly FigureChange[]): { comparisons: number; corrected: FigureChange[] } {
  const judged = changes.filter(({ p }) => p !== null);
  const findings = areFindings(judged.map(({ p }) => p!));
  const chance = new Set(judged.filter(({ word }, index) => CHANGES.has(word) && !findings[index]));
  const corrected = changes.map(
    (change): FigureChange => (chance.has(change) ? { ...change, word: 'may be chance', isBetter: null } : change),
  );
  return { comparisons: judged.length, corrected };
}

/** Two runs side by side: for each cell that both have, how each headline figure changed, and whether that says anything. */
import type { PlanFile } from '../../results/formats/run-directory.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { UserError } from '../../results/user-error.ts';
import { type AnalysedRun, analyseRun } from '../analyse-run.ts';
import type { AnalysedCell } from '../analysed-cell.ts';
import { HEADLINE_FIGURES } from '../figures/catalogue.ts';
import type { HeadlineFigure } from '../figures/figure.ts';
import { differingConditions } from '../report/conditions.ts';
import type { Interval } from '../statistics/interval.ts';
import { onlyKnown } from '../statistics/known-figures.ts';
import { compareMeans } from '../statistics/welch.ts';

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
  | 'too noisy to tell'
  | 'too few trials'
  | 'not measured'
  | 'no ratio (0 or less)';

/** What a comparison says of a figure. */
type ComparedFigure = Pick<HeadlineFigure, 'name' | 'label' | 'unit' | 'scale' | 'better'>;

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
  word: ChangeWord;
  /** Null where `word` claims no change. */
  isBetter: boolean | null;
}

export interface CellChange {
  framework: string;
  mode: string;
  users: number;
  base: CellSummary;
  new: CellSummary;
  figures: FigureChange[];
}

export interface Comparison {
  base: { directory: string; experiment: string; startedAt: string };
  new: { directory: string; experiment: string; startedAt: string };
  cells: CellChange[];
  /** Cells that only one of the runs has. */
  unmatched: string[];
  /** Those of them that the new run was to have, but none of whose trials has run there. */
  notRun: string[];
  /** Why the comparison may say something else than it seems to. */
  warnings: string[];
}

/**
 * Compares the cells that both runs have: same framework, mode and user count.
 *
 * @throws UserError (exit code 2) where a run cannot be read, or the runs have no cell in common
 */
export async function compareRuns(baseDirectory: string, newDirectory: string): Promise<Comparison> {
  const [base, fresh] = [await analyseRun(baseDirectory), await analyseRun(newDirectory)];
  const matched = base.cells.flatMap((cell) => {
    const other = fresh.cells.find((each) => keyOf(each) === keyOf(cell));
    return other === undefined ? [] : [compareCells(cell, other)];
  });
  if (matched.length === 0) {
    const list = (run: AnalysedRun) => run.cells.map(describeCell).join('; ') || 'no cell that has run';
    throw new UserError(
      `the two runs have no cell in common, so nothing can be compared: ${baseDirectory} has ${list(base)}; ${newDirectory} has ${list(fresh)}`,
      { exitCode: 2 },
    );
  }
  return {
    base: identify(base),
    new: identify(fresh),
    cells: matched,
    unmatched: [...onlyIn(base, fresh), ...onlyIn(fresh, base)],
    notRun: notRunIn(fresh, base),
    warnings: [
      ...warnOfConditions(base.plan, fresh.plan),
      ...warnOfMachines(base.environment, fresh.environment),
      ...warnOfTrials(matched),
      ...warnOfFigures(matched),
    ],
  };
}

function compareCells(base: AnalysedCell, fresh: AnalysedCell): CellChange {
  const { framework, mode, users } = base.summary;
  const valuesOf = (cell: AnalysedCell, { name }: HeadlineFigure) =>
    onlyKnown(cell.trials.map(({ figures }) => (figures === null ? null : figures[name])));
  return {
    framework,
    mode,
    users,
    base: base.summary,
    new: fresh.summary,
    figures: HEADLINE_FIGURES.map((figure) => {
      const { name, label, unit, scale, better } = figure;
      return compareFigure({ name, label, unit, scale, better }, valuesOf(base, figure), valuesOf(fresh, figure));
    }),
  };
}

/** @param base one figure per valid trial that has it, as `fresh` */
export function compareFigure(figure: ComparedFigure, base: readonly number[], fresh: readonly number[]): FigureChange {
  const centre = { base: centreOf(base, figure.scale), new: centreOf(fresh, figure.scale) };
  const trials = { base: base.length, new: fresh.length };
  const isShare = figure.better === 'higher';
  const ci95Unit = isShare ? 'points' : '%';
  const compared = compareMeans(base, fresh, figure.scale);
  if (compared === null || centre.base === null || centre.new === null) {
    const unknown = { difference: null, changePercent: null, ci95: null, isBetter: null };
    // Clocks that are known within an error only may give a latency at or below zero, which no ratio can be made of.
    const word = base.length === 0 || fresh.length === 0 ? 'not measured' : 'no ratio (0 or less)';
    return { figure, ...centre, trials, ...unknown, ci95Unit, word };
  }
  const difference = centre.new - centre.base;
  const changePercent = centre.base === 0 ? null : 100 * (centre.new / centre.base - 1);
  const ci95 = compared.ci95 && scaleInterval(compared.ci95, figure, centre.base, isShare);
  const bound = isShare ? NOISE_BOUND_POINTS : NOISE_BOUND_PERCENT;
  // Of a base of 0 there is no percent, so there only the interval as it is can tell.
  const word = ci95 === null ? wordFor(figure, difference, compared.ci95, 0) : wordFor(figure, difference, ci95, bound);
  const isChange = word === 'faster' || word === 'slower' || word === 'less' || word === 'more';
  const isBetter = isChange ? difference > 0 === (figure.better === 'higher') : null;
  return { figure, ...centre, trials, difference, changePercent, ci95, ci95Unit, word, isBetter };
}

/** A ratio as a change in percent; a difference in percent of the base's mean, or as it is. Null: of 0 there is no percent. */
function scaleInterval(
  { low, high }: Interval,
  figure: ComparedFigure,
  base: number,
  isShare: boolean,
): Interval | null {
  if (figure.scale === 'log') return { low: 100 * (low - 1), high: 100 * (high - 1) };
  if (isShare) return { low, high };
  return base === 0 ? null : { low: (100 * low) / base, high: (100 * high) / base };
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
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  return scale === 'log' ? Math.exp(mean(values.map(Math.log))) : mean(values);
}

function keyOf({ summary }: AnalysedCell): string {
  return JSON.stringify([summary.framework, summary.mode, summary.users]);
}

function describeCell({ summary }: AnalysedCell): string {
  return `${summary.framework}, ${summary.mode}, ${summary.users} users`;
}

function identify({ directory, plan }: AnalysedRun): Comparison['base'] {
  return { directory, experiment: plan.experiment.name, startedAt: plan.startedAt };
}

function onlyIn(run: AnalysedRun, other: AnalysedRun): string[] {
  const keys = new Set(other.cells.map(keyOf));
  return run.cells
    .filter((cell) => !keys.has(keyOf(cell)))
    .map((cell) => `${describeCell(cell)}: only in ${run.directory}`);
}

function notRunIn(run: AnalysedRun, other: AnalysedRun): string[] {
  const ran = new Set(run.cells.map(keyOf));
  const planned = new Set(
    run.plan.trials.map(({ framework, mode, users }) => JSON.stringify([framework, mode, users])),
  );
  return other.cells.filter((cell) => planned.has(keyOf(cell)) && !ran.has(keyOf(cell))).map(describeCell);
}

function warnOfConditions(base: PlanFile, fresh: PlanFile): string[] {
  const differing = differingConditions(base, fresh);
  const names =
    base.experiment.name === fresh.experiment.name
      ? []
      : [`name: "${base.experiment.name}" / "${fresh.experiment.name}"`];
  return differing.length === 0
    ? []
    : [`the experiments differ, so what changed may be the conditions: ${[...names, ...differing].join(', ')}`];
}

/** What of the environment moves figures by itself. */
const MACHINE_PROPERTIES = ['cpu', 'cores', 'memoryMiB', 'os', 'node', 'chrome', 'fleet'];

function warnOfMachines(base: Record<string, unknown>, fresh: Record<string, unknown>): string[] {
  const differing = MACHINE_PROPERTIES.filter((name) => JSON.stringify(base[name]) !== JSON.stringify(fresh[name]));
  return differing.length === 0
    ? []
    : [
        `the machines differ, so what changed may be the machine: ${differing.map((name) => `${name}: ${base[name] ?? 'unknown'} / ${fresh[name] ?? 'unknown'}`).join(', ')}`,
      ];
}

function warnOfTrials(cells: readonly CellChange[]): string[] {
  return cells.flatMap((cell) =>
    (['base', 'new'] as const).flatMap((side) => {
      const { trials, validTrials } = cell[side];
      return trials === validTrials
        ? []
        : [
            `${cell.framework}, ${cell.mode}, ${cell.users} users: ${trials - validTrials} of ${trials} trials of ${side} are not valid and left out`,
          ];
    }),
  );
}

/** Trials with fewest samples are often the worst, so leaving them out flatters. */
function warnOfFigures(cells: readonly CellChange[]): string[] {
  return cells.flatMap((cell) =>
    cell.figures.flatMap(({ figure, trials }) =>
      (['base', 'new'] as const).flatMap((side) => {
        const { validTrials } = cell[side];
        return trials[side] === 0 || trials[side] === validTrials
          ? []
          : [
              `${cell.framework}, ${cell.mode}, ${cell.users} users: only ${trials[side]} of ${validTrials} valid trials of ${side} have samples enough for ${figure.label}`,
            ];
      }),
    ),
  );
}

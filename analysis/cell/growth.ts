/** How the figures of a run grow with a count that its cells differ in, such as the users: exponents of power laws. Browser-safe. */
import type { ScalingLaw } from '../../results/formats/summary.ts';
import { figureOf } from '../figures/figure.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { type Cell, type MeasuredRun, pointsOfTrials, type TypingCell } from '../scenarios/cell.ts';
import { fitPowerLaw, MIN_POSITIONS, type PowerLaw } from '../statistics/interval.ts';
import { roundFigure } from '../statistics/quantile.ts';

interface Point {
  /** The count. */
  x: number;
  y: number;
}

/** Cells that differ in the count alone. */
export interface GrowthLine {
  cells: readonly Cell[];
  /** By figure; a law is null if there are too few counts for one. */
  growth: ReadonlyMap<string, { points: readonly Point[]; law: PowerLaw | null }>;
}

/** In the order of the cells. @param count the parameter's name */
export function growthLines({ scenario, cells }: Pick<MeasuredRun, 'scenario' | 'cells'>, count: string): GrowthLine[] {
  const { growing, isTyping } = SCENARIOS[scenario];
  const countOf = ({ parameters }: Cell) => Number(parameters[count]);
  const groups = Map.groupBy(cells, ({ parameters }) => JSON.stringify({ ...parameters, [count]: null }));
  return [...groups.values()].map((group) => {
    const growth = growing.map((figure) => {
      const points = isTyping
        ? pointsOfTrials(group, figure.name, countOf).filter(({ y }) => y > 0)
        : group.flatMap((cell) => {
            const [x, y] = [countOf(cell), figureOf(cell, figure)];
            // Of none a power says nothing.
            return y === null || !(x > 0) ? [] : [{ x, y }];
          });
      return [figure.name, { points, law: fitPowerLaw(points) }] as const;
    });
    return { cells: group, growth: new Map(growth) };
  });
}

/** The counts at which a line has points, ascending. */
export function countsIn(points: readonly Point[]): number[] {
  return [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
}

/** For `summary.json`: one per framework, mode and figure of which there are enough user counts. */
export function scalingLaws(cells: readonly TypingCell[]): ScalingLaw[] {
  return growthWithUsers(cells).flatMap(({ cells: group, growth }) => {
    const { framework, mode } = (group[0] as TypingCell).parameters;
    return [...growth].flatMap(([figure, { points, law }]): ScalingLaw[] => {
      if (law === null) return [];
      const { exponent, interval } = law;
      const ci95 = { low: roundFigure(interval.low), high: roundFigure(interval.high) };
      const measured = { users: countsIn(points), trials: points.length };
      return [{ framework, mode, figure, exponent: roundFigure(exponent), ci95, ...measured }];
    });
  });
}

export function growthWithUsers(cells: readonly TypingCell[]): GrowthLine[] {
  return growthLines({ scenario: 'typing', cells }, 'users');
}

/** The frameworks and modes that have run with too few user counts for any law, in sentences. */
export function withoutGrowth(cells: readonly TypingCell[]): string[] {
  return growthWithUsers(cells).flatMap(({ cells: group, growth }) => {
    const { framework, mode } = (group[0] as TypingCell).parameters;
    const counts = Math.max(...[...growth.values()].map(({ points }) => countsIn(points).length));
    // With one, nobody asks how it grows.
    if (counts >= MIN_POSITIONS || group.length === 1) return [];
    return [`Of ${framework} in ${mode} ${counts} user counts have figures: an exponent takes ${MIN_POSITIONS}.`];
  });
}

/** How the figures of a run grow with the number of users, framework by framework. Browser-safe. */
import type { ScalingLaw } from '../../results/formats/summary.ts';
import { figuresIn } from '../figures/catalogue.ts';
import type { Figure, FigureName } from '../figures/figure.ts';
import { fitPowerLaw, MIN_POSITIONS } from '../statistics/interval.ts';
import { roundFigure } from '../statistics/quantile.ts';
import type { AnalysedCell } from './cell.ts';

/** The figures whose growth is told. */
export const SCALING_FIGURES: readonly Figure[] = figuresIn('scaling');

/** The properties of a cell that scaling needs. */
type ScalingCell = Pick<AnalysedCell, 'summary' | 'trials'>;

/** One per framework, mode and figure of which there are enough user counts, in the order of the cells. */
export function scalingLaws(cells: readonly ScalingCell[]): ScalingLaw[] {
  return groupsOf(cells).flatMap((group) => {
    const { framework, mode } = group[0]!.summary;
    return SCALING_FIGURES.flatMap(({ name }) => {
      const points = pointsOf(group, name);
      const law = fitPowerLaw(points);
      if (law === null) return [];
      const { exponent, interval } = law;
      return [
        {
          framework,
          mode,
          figure: name,
          exponent: roundFigure(exponent),
          ci95: { low: roundFigure(interval.low), high: roundFigure(interval.high) },
          users: countsIn(points),
          trials: points.length,
        },
      ];
    });
  });
}

/** The frameworks and modes that have run with too few user counts for any law, in sentences. */
export function withoutScaling(cells: readonly ScalingCell[]): string[] {
  return groupsOf(cells).flatMap((group) => {
    const { framework, mode } = group[0]!.summary;
    const counts = Math.max(...SCALING_FIGURES.map(({ name }) => countsIn(pointsOf(group, name)).length));
    // With one, nobody asks how it grows.
    if (counts >= MIN_POSITIONS || group.length === 1) return [];
    return [`Of ${framework} in ${mode} ${counts} user counts have figures: an exponent takes ${MIN_POSITIONS}.`];
  });
}

function groupsOf<Cell extends ScalingCell>(cells: readonly Cell[]): Cell[][] {
  return [...Map.groupBy(cells, ({ summary }) => JSON.stringify([summary.framework, summary.mode])).values()];
}

/** One per trial that has the figure. */
function pointsOf(cells: readonly ScalingCell[], name: FigureName): { x: number; y: number }[] {
  return cells.flatMap(({ summary, trials }) =>
    trials.flatMap(({ figures }) => {
      const y = figures?.[name] ?? null;
      return y === null || y <= 0 ? [] : [{ x: summary.users, y }];
    }),
  );
}

function countsIn(points: readonly { x: number }[]): number[] {
  return [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
}

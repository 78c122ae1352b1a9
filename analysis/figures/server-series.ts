/** Figures that nobody knows beforehand: of series that a server of somebody else's tells by itself. Browser-safe. */
import type { Figures, MeasuredFigure } from './figure.ts';
import type { Measured } from './pooling.ts';

const PREFIX = 'serverSeries.';

/** The name of a series' figure, and of its column. @param series as the view `told_series` has it */
export function seriesFigure(series: string): string {
  return PREFIX + series;
}

/** The series among the names of figures. */
export function seriesIn(figures: Figures): string[] {
  return Object.keys(figures).flatMap((name) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []));
}

/** Those of which one of the trials tells. */
export function seriesFigures(trials: readonly Pick<Measured, 'columns'>[]) {
  const names = new Set(trials.flatMap(({ columns }) => seriesIn(columns).map(seriesFigure)));
  return [...names].map((name) => {
    const source: MeasuredFigure['source'] = { pooled: 'mean', column: name, mayLack: true };
    return { name, source, scale: 'linear', isSeldom: true } as const;
  });
}

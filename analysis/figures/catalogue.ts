/**
 * Every figure, once: its name, where it comes from, how it is pooled over trials, and where it is shown. Whatever lists
 * figures derives from here: the summary, tables, charts, CSV files, series, `compare`, the status page and the
 * documentation. The order is that of the columns in `summary.csv`. Browser-safe.
 */

import { BACKING_FIGURES } from './backing-figures.ts';
import { COMPANY_FIGURES } from './company-figures.ts';
import {
  type Bound,
  type BoundedFigure,
  type ChartedFigure,
  type Figure,
  type HeadlineFigure,
  isHeadline,
  type Place,
  type Source,
  type SummaryFigureName,
} from './figure.ts';
import { CROWD_FIGURES, DOCUMENT_FIGURES, RESOURCE_FIGURES } from './resource-figures.ts';
import { TYPING_FIGURES } from './typing-figures.ts';

export const FIGURES: readonly Figure[] = [
  ...TYPING_FIGURES,
  ...RESOURCE_FIGURES,
  ...CROWD_FIGURES,
  ...COMPANY_FIGURES,
  ...BACKING_FIGURES,
  ...DOCUMENT_FIGURES,
];

/** A figure that the records give, and no other figure. */
type MeasuredFigure = Figure & { source: Source };

export const MEASURED_FIGURES: readonly MeasuredFigure[] = FIGURES.filter(
  (figure): figure is MeasuredFigure => figure.source.pooled !== 'ratio',
);

/** Those of `summary.json`: all but what exists over time only. */
export const SUMMARY_FIGURES = MEASURED_FIGURES.filter(
  ({ isOverTimeOnly }) => isOverTimeOnly !== true,
) as readonly (MeasuredFigure & {
  name: SummaryFigureName;
})[];

export const SERIES_FIGURES: readonly MeasuredFigure[] = MEASURED_FIGURES.filter(({ places }) =>
  places.includes('series'),
);

/** The figures that a reader looks at first: they have intervals over trials, and `compare` compares them. */
export const HEADLINE_FIGURES: readonly HeadlineFigure[] = FIGURES.filter(isHeadline);

/** The one by which a framework is quicker than another. */
export const QUICKNESS: HeadlineFigure = HEADLINE_FIGURES.find(({ name }) => name === 'endToEndLatencyMs.p50')!;

/** The figures that "fully functional" bounds, the paper's first. */
export const BOUNDED_FIGURES = paperFirst(FIGURES.filter(({ bound }) => bound !== null)) as readonly BoundedFigure[];

export const SMOOTH_FIGURES = FIGURES.filter(
  (figure): figure is Figure & { smoothBound: Bound; source: Source } => figure.smoothBound !== undefined,
);

/** @throws RangeError where there is no such figure */
export function figureNamed(name: Figure['name']): Figure {
  const figure = FIGURES.find((each) => each.name === name);
  if (figure === undefined) throw new RangeError(`there is no figure ${name}`);
  return figure;
}

/** In the order of reading: first what the paper's criterion bounds. */
export function figuresIn(place: Place): readonly Figure[] {
  return paperFirst(FIGURES.filter(({ places }) => places.includes(place)));
}

function paperFirst(figures: readonly Figure[]): Figure[] {
  const isPapers = ({ bound }: Figure) => bound?.from === 'the paper';
  return figures.toSorted((a, b) => Number(isPapers(b)) - Number(isPapers(a)));
}

/** The figures that have a chart, latencies first; charts are shown two in a row. */
export function chartsOver(axis: 'users' | 'time'): readonly ChartedFigure[] {
  const isCharted = (figure: Figure): figure is ChartedFigure => figure.chart?.over.includes(axis) ?? false;
  return FIGURES.filter(isCharted).sort((a, b) => Number(b.unit === 'ms') - Number(a.unit === 'ms'));
}

/** Figures that tell which resource was used up. */
export const SERVER_LOOP_DELAY = figureNamed('serverLoopDelayMs.p99');
export const USER_NETWORK = [figureNamed('userNetworkKiBps.sent'), figureNamed('userNetworkKiBps.received')];

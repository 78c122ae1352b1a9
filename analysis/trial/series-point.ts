/** One point of a series: what was measured in one bucket of time, by all trials or by the one that runs. */
import type { Phase } from '../../results/formats/records.ts';
import type { SeriesPoint } from '../../results/formats/summary.ts';
import { BUCKET_S } from '../figures/bucket.ts';
import { SERIES_FIGURES } from '../figures/catalogue.ts';
import { nestFigures } from '../figures/figure.ts';
import { FigurePool, type Measured } from '../figures/pooling.ts';
import { roundFigure } from '../statistics/known-figures.ts';

/** One bucket of one trial; columns are those of the view `bucket_figures`, samples in no order. */
export interface Bucket extends Measured {
  /** The one in the middle of the bucket. */
  phase: Phase;
}

/** @param buckets the `index`-th of each trial; at least one, whose phase is that of the point */
export function seriesPoint(index: number, buckets: readonly Bucket[]): SeriesPoint {
  const pool = new FigurePool(buckets);
  const figures = nestFigures(SERIES_FIGURES.map(({ name, source }) => [name, roundFigure(pool.figure(source))]));
  return { fromS: index * BUCKET_S, phase: buckets[0]!.phase, ...figures } as unknown as SeriesPoint;
}

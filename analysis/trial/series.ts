/** How trials developed: what was measured in one bucket of time, by all trials or by the one that runs. */
import type { Phase } from '../../results/formats/records.ts';
import type { SeriesPoint } from '../../results/formats/summary.ts';
import { SERIES_FIGURES } from '../figures/catalogue.ts';
import { BUCKET_S } from '../figures/criterion.ts';
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

/** Pools the same bucket of several trials; where one ended earlier, its later buckets are missing from the pool. */
export function poolBuckets(trials: readonly (readonly Bucket[])[]): SeriesPoint[] {
  const length = Math.max(0, ...trials.map((buckets) => buckets.length));
  return Array.from({ length }, (_, index) =>
    seriesPoint(
      index,
      trials.flatMap((trial) => trial[index] ?? []),
    ),
  );
}

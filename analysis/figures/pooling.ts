/** How figures are pooled over what was measured in several trials, or in one bucket of time of several trials. */
import type { Phase } from '../../results/formats/records.ts';
import type { SeriesPoint } from '../../results/formats/summary.ts';
import {
  hasEnoughSamples,
  meanOfKnown,
  onlyKnown,
  percentOf,
  quantileOrNull,
  roundFigure,
} from '../statistics/quantile.ts';
import { SERIES_FIGURES } from './catalogue.ts';
import { BUCKET_S } from './criterion.ts';
import type { Ratio, SampleName, Source } from './figure.ts';

/** The measurements of one trial, or of one bucket of it. */
export interface Measured {
  /** Counts and figures by the view's columns; null if nothing was measured. */
  columns: Readonly<Record<string, number | null>>;
  /** In any order. */
  samples: Readonly<Partial<Record<SampleName, Float64Array>>>;
}

/** The columns that a figure is made of, beside its samples. */
export function columnsOf(source: Source | Ratio): string[] {
  switch (source.pooled) {
    case 'ratio':
    case 'count':
      return [];
    case 'quantile':
      return source.events === undefined ? [] : [source.events];
    case 'share':
      return [source.part, source.whole, ...(source.quantile === undefined ? [] : [source.quantile.events])];
    default:
      return [source.column];
  }
}

/** The raw samples are pooled, then their quantiles are taken; never averaged. */
export class FigurePool {
  readonly #measured: readonly Measured[];
  readonly #sorted = new Map<SampleName, Float64Array>();

  constructor(measured: readonly Measured[]) {
    this.#measured = measured;
  }

  /** Null if it was not measured, or has too few samples. */
  figure(source: Source): number | null {
    switch (source.pooled) {
      case 'quantile':
        return this.#quantile(source);
      case 'count':
        return this.#samples(source.samples).length;
      case 'share':
        return this.#share(source);
      case 'mean':
        return meanOfKnown(this.#column(source.column, source.mayLack));
      case 'geometric mean':
        return geometricMean(onlyKnown(this.#column(source.column, source.mayLack)));
      case 'sum':
        return this.sum(source.column);
      case 'least':
        return this.#extreme(source.column, Math.min);
      case 'greatest':
        return this.#extreme(source.column, Math.max);
    }
  }

  /** 0 if there is nothing: for counts. */
  sum(column: string): number {
    return onlyKnown(this.#column(column)).reduce((total, value) => total + value, 0);
  }

  #quantile({ samples, p, events }: Extract<Source, { pooled: 'quantile' }>): number | null {
    const sorted = this.#samples(samples);
    return quantileOrNull(sorted, p, events === undefined ? sorted.length : this.sum(events));
  }

  #share({ part, whole, quantile }: Extract<Source, { pooled: 'share' }>): number | null {
    const isKnown = quantile === undefined || hasEnoughSamples(this.sum(quantile.events), quantile.p);
    return isKnown ? percentOf(this.sum(part), this.sum(whole)) : null;
  }

  #samples(name: SampleName): Float64Array {
    const sorted =
      this.#sorted.get(name) ?? pool(this.#measured.map(({ samples }) => samples[name] ?? new Float64Array()));
    this.#sorted.set(name, sorted);
    return sorted;
  }

  #column(name: string, mayLack = false): (number | null)[] {
    return this.#measured.map(({ columns }) => {
      const value = columns[name];
      if (value === undefined && !mayLack)
        throw new Error(`a figure comes from the column ${name}, which no view gives`);
      return value ?? null;
    });
  }

  #extreme(column: string, choose: (...values: number[]) => number): number | null {
    const known = onlyKnown(this.#column(column));
    return known.length === 0 ? null : choose(...known);
  }
}

/** Of times, which multiply; the mean if one of them is not above zero. */
function geometricMean(values: readonly number[]): number | null {
  if (values.some((value) => value <= 0)) return meanOfKnown(values);
  if (values.length === 1) return values[0]!;
  const mean = meanOfKnown(values.map(Math.log));
  return mean === null ? null : Math.exp(mean);
}

/** All samples of several trials together, in ascending order. */
function pool(samplesOfTrials: readonly Float64Array[]): Float64Array {
  const pooled = new Float64Array(samplesOfTrials.reduce((length, samples) => length + samples.length, 0));
  let filled = 0;
  for (const samples of samplesOfTrials) {
    pooled.set(samples, filled);
    filled += samples.length;
  }
  return pooled.sort();
}

/** One bucket of one trial; columns are those of the view `bucket_figures`, samples in no order. */
export interface Bucket extends Measured {
  /** The one in the middle of the bucket. */
  phase: Phase;
}

/** @param buckets the `index`-th of each trial; at least one, whose phase is that of the point */
export function seriesPoint(index: number, buckets: readonly Bucket[]): SeriesPoint {
  const pool = new FigurePool(buckets);
  const figures = SERIES_FIGURES.map(({ name, source }) => [name, roundFigure(pool.figure(source))] as const);
  return { fromS: index * BUCKET_S, phase: buckets[0]!.phase, figures: Object.fromEntries(figures) };
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

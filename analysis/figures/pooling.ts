/** How figures are pooled over what was measured in several trials, or in one bucket of time of several trials. */
import { meanOfKnown, onlyKnown, percentOf } from '../statistics/known-figures.ts';
import { pool } from '../statistics/pool.ts';
import { quantileOrNull } from '../statistics/quantile.ts';
import type { SampleName, Source } from './figure.ts';

/** What one trial measured, or one bucket of it. */
export interface Measured {
  /** Counts and figures by the view's columns; null where nothing was measured. */
  columns: Readonly<Record<string, number | null>>;
  /** In any order. */
  samples: Readonly<Partial<Record<SampleName, Float64Array>>>;
}

/** The raw samples are pooled, then their quantiles are taken; never averaged. */
export class FigurePool {
  readonly #measured: readonly Measured[];
  readonly #sorted = new Map<SampleName, Float64Array>();

  constructor(measured: readonly Measured[]) {
    this.#measured = measured;
  }

  /** Null where it was not measured, or has too few samples. */
  figure(source: Source): number | null {
    switch (source.pooled) {
      case 'quantile':
        return quantileOrNull(this.#samples(source.samples), source.p);
      case 'count':
        return this.#samples(source.samples).length;
      case 'share':
        return percentOf(this.sum(source.part), this.sum(source.whole));
      case 'mean':
        return meanOfKnown(this.#column(source.column));
      case 'sum':
        return this.sum(source.column);
      case 'least':
        return this.#extreme(source.column, Math.min);
      case 'greatest':
        return this.#extreme(source.column, Math.max);
    }
  }

  /** 0 where there is nothing: for counts. */
  sum(column: string): number {
    return onlyKnown(this.#column(column)).reduce((total, value) => total + value, 0);
  }

  #samples(name: SampleName): Float64Array {
    const sorted =
      this.#sorted.get(name) ?? pool(this.#measured.map(({ samples }) => samples[name] ?? new Float64Array()));
    this.#sorted.set(name, sorted);
    return sorted;
  }

  #column(name: string): (number | null)[] {
    return this.#measured.map(({ columns }) => {
      const value = columns[name];
      if (value === undefined) throw new Error(`a figure comes from the column ${name}, which no view gives`);
      return value;
    });
  }

  #extreme(column: string, choose: (...values: number[]) => number): number | null {
    const known = onlyKnown(this.#column(column));
    return known.length === 0 ? null : choose(...known);
  }
}

/** The same in SQL, over the trials of a group that are rows of `trial_figures`, and of `samples` as `pool` names them. */
export function poolingSql(source: Source, samplesOf: (name: SampleName, aggregate: string) => string): string {
  switch (source.pooled) {
    case 'quantile':
      return samplesOf(
        source.samples,
        `CASE WHEN enough_for(${source.p}, count(*)) THEN quantile_cont(sample, ${source.p}) END`,
      );
    case 'count':
      return samplesOf(source.samples, 'count(*)');
    case 'share':
      return `100 * sum(${source.part}) / nullif(sum(${source.whole}), 0)`;
    case 'mean':
      return `avg(${source.column})`;
    case 'sum':
      return `sum(${source.column})`;
    case 'least':
      return `min(${source.column})`;
    case 'greatest':
      return `max(${source.column})`;
  }
}

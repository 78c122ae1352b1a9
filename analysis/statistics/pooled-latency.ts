/** Latencies of several trials: the raw samples are pooled, then their quantiles are taken; never averaged. */
import { roundFigure } from './known-figures.ts';
import { quantileOrNull } from './quantile.ts';

/** All samples together, in ascending order. */
export function pool(samplesOfTrials: readonly Float64Array[]): Float64Array {
  const pooled = new Float64Array(samplesOfTrials.reduce((length, samples) => length + samples.length, 0));
  let filled = 0;
  for (const samples of samplesOfTrials) {
    pooled.set(samples, filled);
    filled += samples.length;
  }
  return pooled.sort();
}

/** Median and 95th percentile, in ms; each null where there are too few samples for it. */
export function medianAndP95(sorted: Float64Array): { p50: number | null; p95: number | null } {
  return { p50: roundFigure(quantileOrNull(sorted, 0.5)), p95: roundFigure(quantileOrNull(sorted, 0.95)) };
}

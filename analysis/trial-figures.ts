/** What one trial's records say: counts and figures, raw samples for pooling, and how it developed. */
import type { RecordsDatabase } from './database.ts';
import { MEASURED_FIGURES } from './figures/catalogue.ts';
import type { SampleName } from './figures/figure.ts';
import type { Measured } from './figures/pooling.ts';
import type { Bucket } from './series-point.ts';
import { readBuckets } from './trial-series.ts';

/** Samples are in ascending order; columns are those of the view `trial_figures`. */
export interface TrialFigures extends Measured {
  version: string;
  /** The user whose clock is known worst, and how well. */
  worstClock: { process: string; errorMs: number } | null;
  /**
   * False where nothing can be said of the server: it left no record (a service outside, or a record that was lost), or
   * none whose instants can be placed, as its clock was never measured.
   */
  hasServer: boolean;
  /** The whole time of typing, in order. */
  buckets: Bucket[];
}

/**
 * Reads the figures of the one trial that is open, which is valid.
 *
 * @throws UserError (exit code 2) where the records hold what no query can work on, naming the trial
 */
export async function readTrialFigures(records: RecordsDatabase): Promise<TrialFigures> {
  const [row] = await records.rows<{
    frameworkVersion: string;
    hasServer: boolean;
    worstClock: string | null;
    worstClockErrorMs: number;
  }>('SELECT * EXCLUDE (trial) FROM trial_figures');
  const { frameworkVersion: version, hasServer, worstClock, worstClockErrorMs, ...columns } = row!;
  return {
    version,
    columns,
    samples: await readSamples(records),
    worstClock: worstClock === null ? null : { process: worstClock, errorMs: worstClockErrorMs },
    hasServer,
    buckets: await readBuckets(records),
  };
}

async function readSamples(records: RecordsDatabase): Promise<Measured['samples']> {
  const samples: Partial<Record<SampleName, Float64Array>> = {};
  for (const { source } of MEASURED_FIGURES) {
    if (source.pooled !== 'count' && source.pooled !== 'quantile') continue;
    samples[source.samples] ??= await records.numbers(
      `SELECT sample FROM samples WHERE figure = '${source.samples}' ORDER BY 1`,
    );
  }
  return samples;
}

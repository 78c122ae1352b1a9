/** What one trial's records say: counts and figures, raw samples for pooling, and how it developed. */

import { MEASURED_FIGURES } from '../figures/catalogue.ts';
import type { SampleName } from '../figures/figure.ts';
import type { Measured } from '../figures/pooling.ts';
import { readTrialFaults, type TrialFault } from '../resilience/trial-fault.ts';
import type { RecordsDatabase } from '../views/database.ts';
import type { Bucket } from './series-point.ts';
import { readBuckets } from './trial-series.ts';

/** Samples are in ascending order; columns are those of the view `trial_figures`. */
export interface TrialFigures extends Measured {
  version: string;
  /** The whole time of typing, in order. */
  buckets: Bucket[];
  /** What was asked to break, in the order of the experiment's list; empty where nothing was. */
  faults: TrialFault[];
}

/**
 * Reads the figures of the one trial that is open, which is valid.
 *
 * @throws UserError (exit code 2) where the records hold what no query can work on, naming the trial
 */
export async function readTrialFigures(records: RecordsDatabase): Promise<TrialFigures> {
  const [row] = await records.rows<{ frameworkVersion: string }>('SELECT * EXCLUDE (trial) FROM trial_figures');
  const { frameworkVersion: version, ...columns } = row!;
  return {
    version,
    columns,
    samples: await readSamples(records),
    buckets: await readBuckets(records),
    faults: await readTrialFaults(records),
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

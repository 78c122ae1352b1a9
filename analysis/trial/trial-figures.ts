/** One trial's figures: counts and figures, raw samples for pooling, and their course over time. */
import type { Phase } from '../../results/formats/records.ts';
import { MEASURED_FIGURES } from '../figures/catalogue.ts';
import type { SampleName } from '../figures/figure.ts';
import type { Bucket, Measured } from '../figures/pooling.ts';
import type { TrialFault } from '../resilience/fault-figures.ts';
import type { RecordsDatabase } from '../views/database.ts';

/** Samples are in ascending order; columns are those of the view `trial_figures`, or a document's figures. */
export interface TrialFigures extends Measured {
  /** The whole time of typing, in order; empty of a document. */
  buckets: Bucket[];
  /** The faults that were asked for, in the order of the experiment's list; empty if none was. */
  faults: TrialFault[];
  /** Of a document, by name. */
  curves: Readonly<Record<string, { x: number[]; y: number[] }>>;
}

/**
 * Reads the figures of the one trial that is open, valid or not.
 *
 * @returns null if its records give none
 * @throws UserError (exit code 2) where the records hold what no query can work on, naming the trial
 */
export async function readTrialFigures(records: RecordsDatabase): Promise<TrialFigures | null> {
  const [row] = await records.rows<Record<string, number | null>>(
    'SELECT * EXCLUDE (trial, frameworkVersion) FROM trial_figures',
  );
  if (row === undefined) return null;
  return {
    columns: row,
    samples: await readSamples(records),
    buckets: await readBuckets(records),
    faults: await readTrialFaults(records),
    curves: {},
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

/** Reads the buckets of the one trial that is open, in the order of time. */
export async function readBuckets(records: RecordsDatabase): Promise<Bucket[]> {
  const measured = await records.rows<{ phase: Phase }>(
    'SELECT * EXCLUDE (trial, bucket) FROM bucket_figures ORDER BY bucket',
  );
  const local = await readLatencies(records, 'own', measured.length);
  const endToEnd = await readLatencies(records, 'NOT own', measured.length);
  return measured.map(({ phase, ...columns }, bucket) => ({
    phase,
    columns,
    samples: { localLatencyMs: local[bucket]!, endToEndLatencyMs: endToEnd[bucket]! },
  }));
}

/** One array per bucket. What was sent after the last bucket, as typing ended, belongs to none. */
async function readLatencies(records: RecordsDatabase, condition: string, buckets: number): Promise<Float64Array[]> {
  const within = `FROM bucket_latencies WHERE ${condition} AND bucket < ${buckets}`;
  const sizes = await records.rows<{ bucket: number; size: number }>(
    `SELECT bucket, count(*)::INTEGER AS size ${within} GROUP BY bucket`,
  );
  const latencies = Array.from({ length: buckets }, () => new Float64Array());
  for (const { bucket, size } of sizes) latencies[bucket] = new Float64Array(size);
  const filled = new Uint32Array(buckets);
  await records.scan(`SELECT bucket, latencyMs ${within}`, ([bucketOf = [], latencyOf = []]) => {
    for (let row = 0; row < bucketOf.length; row++) {
      const bucket = bucketOf[row]!;
      latencies[bucket]![filled[bucket]!++] = latencyOf[row]!;
    }
  });
  return latencies;
}

/** The faults of the one trial that is open, in the order of the experiment's list. */
export async function readTrialFaults(records: RecordsDatabase): Promise<TrialFault[]> {
  // A row is plain data; what of it is no figure stands above.
  const rows = await records.rows('SELECT * EXCLUDE (trial) FROM fault_figures ORDER BY fault');
  return rows as unknown as TrialFault[];
}

/** How a trial developed: its figures in buckets of time, and several trials' buckets pooled into one series. */
import type { Phase } from '../../results/formats/records.ts';
import type { SeriesPoint } from '../../results/formats/summary.ts';
import type { RecordsDatabase } from '../views/database.ts';
import { type Bucket, seriesPoint } from './series-point.ts';

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

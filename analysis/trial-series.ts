/** How a trial developed: its figures in buckets of time, and several trials' buckets pooled into one series. */
import type { Phase } from '../results/formats/records.ts';
import type { RecordsDatabase } from './database.ts';
import { BUCKET_S, type SeriesPoint } from './series-point.ts';
import { meanOfKnown, percentOf, roundFigure } from './statistics/known-figures.ts';
import { medianAndP95, pool } from './statistics/pooled-latency.ts';

/** One bucket of one trial. Null where nothing was measured; samples in no order. */
export interface Bucket extends MeasuredInBucket {
  localLatenciesMs: Float64Array;
  endToEndLatenciesMs: Float64Array;
}

/** As the view `bucket_figures` gives it. */
interface MeasuredInBucket {
  phase: Phase;
  offered: number;
  performed: number;
  serverCpuPercent: number | null;
  serverMemoryMiB: number | null;
  userCpuPercent: number | null;
  userMemoryMiB: number | null;
  machineCpuPercent: number | null;
  documentCharacters: number | null;
  longTaskPercent: number | null;
}

/** Reads the buckets of the one trial that is open, in the order of time. */
export async function readBuckets(records: RecordsDatabase): Promise<Bucket[]> {
  const measured = await records.rows<Record<keyof MeasuredInBucket, never>>(
    'SELECT * EXCLUDE (trial, bucket) FROM bucket_figures ORDER BY bucket',
  );
  const local = await readLatencies(records, 'own', measured.length);
  const endToEnd = await readLatencies(records, 'NOT own', measured.length);
  return (measured as MeasuredInBucket[]).map((figures, bucket) => ({
    ...figures,
    localLatenciesMs: local[bucket]!,
    endToEndLatenciesMs: endToEnd[bucket]!,
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
  return Array.from({ length }, (_, index) => {
    const buckets = trials.flatMap((trial) => trial[index] ?? []);
    const mean = (figureOf: (bucket: Bucket) => number | null) => roundFigure(meanOfKnown(buckets.map(figureOf)));
    const total = (countOf: (bucket: Bucket) => number) => buckets.reduce((sum, bucket) => sum + countOf(bucket), 0);
    return {
      fromS: index * BUCKET_S,
      phase: buckets[0]!.phase,
      throughputPercent: roundFigure(
        percentOf(
          total(({ performed }) => performed),
          total(({ offered }) => offered),
        ),
      ),
      localLatencyMs: latency(buckets.map(({ localLatenciesMs }) => localLatenciesMs)),
      endToEndLatencyMs: latency(buckets.map(({ endToEndLatenciesMs }) => endToEndLatenciesMs)),
      serverCpuPercent: mean(({ serverCpuPercent }) => serverCpuPercent),
      serverMemoryMiB: mean(({ serverMemoryMiB }) => serverMemoryMiB),
      userCpuPercent: mean(({ userCpuPercent }) => userCpuPercent),
      userMemoryMiB: mean(({ userMemoryMiB }) => userMemoryMiB),
      machineCpuPercent: mean(({ machineCpuPercent }) => machineCpuPercent),
      documentCharacters: mean(({ documentCharacters }) => documentCharacters),
      longTaskPercent: mean(({ longTaskPercent }) => longTaskPercent),
    };
  });
}

function latency(samplesOfTrials: readonly Float64Array[]): SeriesPoint['localLatencyMs'] {
  const samples = pool(samplesOfTrials);
  return { ...medianAndP95(samples), samples: samples.length };
}

/** One trial's figures: counts and figures, raw samples for pooling, and their course over time. */
import type { Phase } from '../../results/formats/records.ts';
import { BACKING_FIGURES } from '../figures/backing-figures.ts';
import { MEASURED_FIGURES } from '../figures/catalogue.ts';
import type { SampleName } from '../figures/figure.ts';
import { type Bucket, columnsOf, type Measured } from '../figures/pooling.ts';
import { seriesFigure } from '../figures/server-series.ts';
import type { TrialFault } from '../resilience/fault-figures.ts';
import type { RecordsDatabase } from '../views/database.ts';

/** Samples are in ascending order; columns are those of the views `trial_figures` and `backing_figures`, or a document's figures. */
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
    columns: { ...row, ...(await readBackingFigures(records)), ...(await readToldSeries(records)) },
    samples: await readSamples(records),
    buckets: await readBuckets(records),
    faults: await readTrialFaults(records),
    curves: {},
  };
}

/** Of a trial with one server, in memory. */
const UNBACKED = Object.fromEntries(
  BACKING_FIGURES.flatMap(({ source }) => columnsOf(source)).map((column) => [column, null]),
);

/** Of the one trial that is open. Few have any, and they take long to plan. */
async function readBackingFigures(records: RecordsDatabase): Promise<Measured['columns']> {
  const backed = await records.rows('SELECT trial FROM trials WHERE store IS NOT NULL OR servers > 1');
  if (backed.length === 0) return UNBACKED;
  const [row] = await records.rows<Record<string, number | null>>('SELECT * EXCLUDE (trial) FROM backing_figures');
  return row!;
}

/** Of the one trial that is open, if its server is somebody else's. */
async function readToldSeries(records: RecordsDatabase): Promise<Measured['columns']> {
  const attached = await records.rows('SELECT trial FROM trials WHERE document IS NOT NULL');
  if (attached.length === 0) return {};
  const rows = await records.rows<{ series: string; amount: number | null }>(
    'SELECT series, amount FROM told_series ORDER BY series',
  );
  return Object.fromEntries(rows.map(({ series, amount }) => [seriesFigure(series), amount]));
}

async function readSamples(records: RecordsDatabase): Promise<Measured['samples']> {
  const pooled = MEASURED_FIGURES.flatMap(({ source }) =>
    source.pooled === 'count' || source.pooled === 'quantile' ? [source.samples] : [],
  );
  const names = [...new Set<SampleName>(pooled)];
  const listed = names.map((name) => `'${name}'`).join(', ');
  const groups = await readGroups(records, names.length, {
    group: `(list_position([${listed}], figure) - 1)::INTEGER`,
    value: 'sample',
    from: `samples WHERE sample IS NOT NULL AND figure IN (${listed})`,
  });
  return Object.fromEntries(names.map((name, index) => [name, groups[index]!.sort()]));
}

/** Reads the buckets of the one trial that is open, in the order of time. */
export async function readBuckets(records: RecordsDatabase): Promise<Bucket[]> {
  const measured = await records.rows<{ phase: Phase }>(
    'SELECT * EXCLUDE (trial, bucket) FROM bucket_figures ORDER BY bucket',
  );
  // A sigil sent after the last bucket, as typing ended, belongs to none.
  const latencies = await readGroups(records, 2 * measured.length, {
    group: '2 * bucket + own::INTEGER',
    value: 'latencyMs',
    from: `bucket_latencies WHERE bucket < ${measured.length}`,
  });
  return measured.map(({ phase, ...columns }, bucket) => ({
    phase,
    columns,
    samples: { localLatencyMs: latencies[2 * bucket + 1]!, endToEndLatencyMs: latencies[2 * bucket]! },
  }));
}

/** The values of each group, by its number. One query counts them first: the arrays may be large, and grow badly. */
async function readGroups(
  records: RecordsDatabase,
  count: number,
  { group, value, from }: { group: string; value: string; from: string },
): Promise<Float64Array[]> {
  const sizes = await records.rows<{ number: number; size: number }>(
    `SELECT ${group} AS number, count(*)::INTEGER AS size FROM ${from} GROUP BY ALL`,
  );
  const groups = Array.from({ length: count }, () => new Float64Array());
  for (const { number, size } of sizes) groups[number] = new Float64Array(size);
  const filled = new Uint32Array(count);
  await records.scan(`SELECT ${group}, ${value} FROM ${from}`, ([numbers = [], values = []]) => {
    for (let row = 0; row < numbers.length; row++) {
      const number = numbers[row]!;
      groups[number]![filled[number]!++] = values[row]!;
    }
  });
  return groups;
}

/** The faults of the one trial that is open, in the order of the experiment's list. */
export async function readTrialFaults(records: RecordsDatabase): Promise<TrialFault[]> {
  // Most trials are asked for none, and the figures of faults take long to plan.
  if ((await records.rows('FROM fault_spans LIMIT 1')).length === 0) return [];
  // A row is plain data; what of it is no figure stands above.
  const rows = await records.rows('SELECT * EXCLUDE (trial) FROM fault_figures ORDER BY fault');
  return rows as unknown as TrialFault[];
}

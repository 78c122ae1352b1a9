/**
 * `node --expose-gc write-main.ts JSON`: the first process of a trial. Fills a store with a document, and measures what each
 * further edit costs. `apply` is never timed: a server has the document in memory whether it keeps it or not.
 */
import { quantileOrNull } from '../../analysis/statistics/quantile.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { printLines } from '../measuring-process.ts';
import { namingFullDisk } from './full-disk.ts';
import { type History, readHistory } from './history.ts';
import { FULL_DISK_REMEDY, type RestTask, readTask } from './rest-task.ts';
import { loadStore, sizeOnDisk, writtenBytes } from './stores/stores.ts';
import type { KeptDocument } from './ways/way.ts';
import { loadWay } from './ways/ways.ts';

const KIB = 1024;
/** Written at once while the store is filled: few enough to be held in memory as keys and values. */
const FILL_BATCH_EDITS = 10_000;
/** The last edits of the filling are persisted as the measured ones are, so that the code is warm. */
const WARM_UP_EDITS = 300;
/** Of the curve. */
const POINTS = 50;
const QUANTILES = { p50: 0.5, p95: 0.95, p99: 0.99 };

const task = readTask();
await namingFullDisk({ directory: task.directory, remedy: FULL_DISK_REMEDY }, () => run(task));

async function run(told: RestTask): Promise<void> {
  const { way, directory, size, measured, compactEvery } = told;
  const history = await readHistory(told.history);
  const openStore = await loadStore(told.store);
  const store = await openStore(directory, { durable: told.durable });
  let lines: RecordLine[];
  try {
    const document = await (await loadWay(way)).open(store, { compactEvery });
    const cold = Math.max(0, size - WARM_UP_EDITS);
    for (let from = 0; from < cold; from += FILL_BATCH_EDITS) {
      await persistTogether(document, history, { from, to: Math.min(cold, from + FILL_BATCH_EDITS) });
    }
    await persistEach(document, history, { from: cold, to: size });
    globalThis.gc?.();
    const writtenBefore = writtenBytes();
    const persisted = await persistEach(document, history, { from: size, to: size + measured });
    const writtenAfter = writtenBytes();
    lines = linesOf(persisted, { size, written: writtenBefore === null ? null : writtenAfter! - writtenBefore });
  } finally {
    await store.close();
  }
  printLines(...lines, { type: 'figure', figure: 'diskKiB', value: (await sizeOnDisk(directory)) / KIB });
}

interface Stretch {
  from: number;
  to: number;
}

async function persistTogether(document: KeptDocument, history: History, { from, to }: Stretch): Promise<void> {
  for (let index = from; index < to; index++) document.apply(history.edit(index));
  await document.persist();
}

interface Persisted {
  /** Of each edit, in order. */
  timesMs: Float64Array;
  /** Of all keys and values. */
  bytes: number;
}

async function persistEach(document: KeptDocument, history: History, { from, to }: Stretch): Promise<Persisted> {
  const timesMs = new Float64Array(to - from);
  let bytes = 0;
  for (let index = from; index < to; index++) {
    document.apply(history.edit(index));
    const startMs = performance.now();
    const given = await document.persist();
    timesMs[index - from] = performance.now() - startMs;
    bytes += given;
  }
  return { timesMs, bytes };
}

function linesOf({ timesMs, bytes }: Persisted, of: { size: number; written: number | null }): RecordLine[] {
  const figure = (name: string, value: number | null): RecordLine[] =>
    value === null ? [] : [{ type: 'figure', figure: name, value }];
  const sorted = timesMs.toSorted();
  const count = timesMs.length;
  const lines = [
    ...Object.entries(QUANTILES).flatMap(([name, p]) => figure(`persistMs.${name}`, quantileOrNull(sorted, p))),
    ...figure('persistMs.max', sorted.at(-1)!),
    ...figure('bytesPerEdit', bytes / count),
    ...figure('writtenBytesPerEdit', of.written === null ? null : of.written / count),
  ];
  if (of.written === null) {
    const message = 'what the store writes is not known: this system has no /proc/self/io';
    lines.push({ type: 'note', code: 'no-written-bytes', message });
  }
  return [...lines, { type: 'curve', curve: 'persistMicroseconds', ...curveOf(timesMs, of.size) }];
}

/** The mean of each group of edits; a point lies at the number of its last edit. */
function curveOf(timesMs: Float64Array, size: number): { x: number[]; y: number[] } {
  const perPoint = Math.ceil(timesMs.length / POINTS);
  const groups = Array.from({ length: Math.ceil(timesMs.length / perPoint) }, (_, index) =>
    timesMs.subarray(index * perPoint, (index + 1) * perPoint),
  );
  return {
    x: groups.map((group, index) => size + index * perPoint + group.length),
    y: groups.map((group) => (1000 * group.reduce((sum, each) => sum + each, 0)) / group.length),
  };
}

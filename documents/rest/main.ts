/**
 * `node main.ts JSON`: a process of one trial. The first fills a store with a document, and measures the cost of each further edit.
 * The second, as a server that has just started, measures the time until the document's text is in hand, and proves that nothing
 * of it is missing.
 */
import { median, quantileOrNull } from '../../analysis/statistics/quantile.ts';
import { namingFullDisk, sizeOnDisk, writtenBytes } from '../../harness/probes/disk.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { figureLines, KIB, measureTask, printFigures, printLines, requireText } from '../measurement.ts';
import { contentAfter, type Edits, makeEdit, readEdits } from '../replay/edits.ts';
import type { KeptDocument, Store, Way } from './store.ts';
import { loadStore, loadWay, type StoreName, type WayName } from './stores.ts';

export interface RestTask {
  step: 'write' | 'read';
  store: StoreName;
  way: WayName;
  durable: boolean;
  /** The store's own folder: there, and empty before the first process. */
  directory: string;
  /** The file of the document's edits. */
  edits: string;
  /** How many edits the document holds before the measured ones, and how many are measured. */
  size: number;
  measured: number;
  compactEvery: number;
}

/** Written at once while the store is filled: few enough to be held in memory as keys and values. */
const FILL_BATCH_EDITS = 10_000;
/** The last edits of the filling are persisted as the measured ones are, so that the code is warm. */
const WARM_UP_EDITS = 300;
/** Of the curve. */
const POINTS = 50;

async function measureWriting(task: RestTask): Promise<void> {
  const { way, directory, durable, size, measured, compactEvery } = task;
  const edits = await readEdits(task.edits);
  const openStore = await loadStore(task.store);
  const store = await openStore(directory, { durable });
  let lines: RecordLine[];
  try {
    const document = await (await loadWay(way)).open(store, { compactEvery });
    const cold = Math.max(0, size - WARM_UP_EDITS);
    await persist(document, edits, { from: 0, to: cold, atOnce: FILL_BATCH_EDITS });
    await persist(document, edits, { from: cold, to: size });
    globalThis.gc?.();
    const writtenBefore = writtenBytes();
    const persisted = await persist(document, edits, { from: size, to: size + measured });
    const writtenAfter = writtenBytes();
    lines = linesOf(persisted, { size, written: writtenBefore === null ? null : writtenAfter! - writtenBefore });
  } finally {
    await store.close();
  }
  printLines(...lines, ...figureLines({ diskKiB: (await sizeOnDisk(directory)) / KIB }));
}

interface Persisted {
  /** In order. */
  timesMs: Float64Array;
  /** Of all keys and values. */
  bytes: number;
}

/** Edits are never timed: a server has the document in memory in any case. */
async function persist(
  document: KeptDocument,
  edits: Edits,
  { from, to, atOnce = 1 }: { from: number; to: number; atOnce?: number },
): Promise<Persisted> {
  const timesMs = new Float64Array(Math.ceil((to - from) / atOnce));
  let bytes = 0;
  for (let turn = 0; turn < timesMs.length; turn++) {
    const first = from + turn * atOnce;
    for (let number = first; number < Math.min(to, first + atOnce); number++) makeEdit(document, edits, number);
    const startMs = performance.now();
    const given = await document.persist();
    timesMs[turn] = performance.now() - startMs;
    bytes += given;
  }
  return { timesMs, bytes };
}

function linesOf({ timesMs, bytes }: Persisted, of: { size: number; written: number | null }): RecordLine[] {
  const sorted = timesMs.toSorted();
  const count = timesMs.length;
  const lines = figureLines({
    'persistMs.p50': quantileOrNull(sorted, 0.5),
    'persistMs.p95': quantileOrNull(sorted, 0.95),
    'persistMs.p99': quantileOrNull(sorted, 0.99),
    'persistMs.max': sorted.at(-1)!,
    bytesPerEdit: bytes / count,
    writtenBytesPerEdit: of.written === null ? null : of.written / count,
  });
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

/** Of each reading; their median counts. */
const READINGS = 5;
const LINE_END = '\n';

async function measureReading({ edits, size, measured, directory, durable, ...task }: RestTask): Promise<void> {
  const expected = contentAfter(await readEdits(edits), size + measured);
  const way = await loadWay(task.way);
  // Loading code is not what a document costs.
  const openStore = await loadStore(task.store);
  globalThis.gc?.();

  const startMs = performance.now();
  const store = await openStore(directory, { durable });
  try {
    const text = await way.readAll(store);
    const openMs = performance.now() - startMs;
    requireText(text, expected, 'the store');
    printFigures({ openMs, readAllMs: await medianMs(() => way.readAll(store)) });
    if (text !== '') printFigures({ readParagraphMs: await readParagraph(way, store, text) });
  } finally {
    await store.close();
  }
}

/** If parts cannot be read by themselves, a paragraph costs as much as all. */
async function readParagraph(way: Way, store: Store, text: string): Promise<number> {
  const { start, end } = middleParagraph(text);
  const { paragraphs } = way;
  const anchor = await paragraphs?.anchorAt(store, start);
  let read = '';
  const takenMs = await medianMs(async () => {
    read = paragraphs ? await paragraphs.read(store, anchor!) : (await way.readAll(store)).slice(start, end);
  });
  requireText(read, text.slice(start, end), 'the paragraph');
  return takenMs;
}

/** The line around the middle of the text; if that line is empty, the next one that is not. */
function middleParagraph(text: string): { start: number; end: number } {
  let start = text.lastIndexOf(LINE_END, Math.floor(text.length / 2) - 1) + 1;
  while (text[start] === LINE_END) start++;
  if (start >= text.length) start = 0;
  const end = text.indexOf(LINE_END, start);
  return { start, end: end === -1 ? text.length : end };
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const timesMs = new Float64Array(READINGS);
  for (let reading = 0; reading < READINGS; reading++) {
    const startMs = performance.now();
    await work();
    timesMs[reading] = performance.now() - startMs;
  }
  return median(timesMs);
}

// Last, so that all that it needs is there.
await measureTask(async (task: RestTask) => {
  // Stores lie in the run's folder.
  const where = { directory: task.directory, remedy: 'let the run land on another disk with --out' };
  await namingFullDisk(where, () => (task.step === 'write' ? measureWriting(task) : measureReading(task)));
});

/**
 * `node --expose-gc read-main.ts JSON`: the second process of a trial, as a server that has just started. Measures how long it
 * takes until the document's text is in hand, and proves that nothing of it is missing.
 */
import { quantile } from '../../analysis/statistics/quantile.ts';
import { measureAndPrint, printLines, requireText } from '../measuring-process.ts';
import { namingFullDisk } from './full-disk.ts';
import { readHistory } from './history.ts';
import { FULL_DISK_REMEDY, type RestTask, readTask } from './rest-task.ts';
import type { Store } from './stores/store.ts';
import { loadStore } from './stores/stores.ts';
import type { Way } from './ways/way.ts';
import { loadWay } from './ways/ways.ts';

/** Of each reading; their median counts. */
const READINGS = 5;
const LINE_END = '\n';

const task = readTask();
await namingFullDisk({ directory: task.directory, remedy: FULL_DISK_REMEDY }, () => measureAndPrint(() => run(task)));

async function run({
  store: storeName,
  way: wayName,
  durable,
  directory,
  history: files,
  size,
  measured,
}: RestTask): Promise<void> {
  const expected = (await readHistory(files)).textAfter(size + measured);
  const way = await loadWay(wayName);
  // Loading code is not what a document costs.
  const openStore = await loadStore(storeName);
  globalThis.gc?.();

  const startMs = performance.now();
  const store = await openStore(directory, { durable });
  try {
    const text = await way.readAll(store);
    const openMs = performance.now() - startMs;
    requireText(text, expected, 'the store');
    printLines(
      { type: 'figure', figure: 'openMs', value: openMs },
      { type: 'figure', figure: 'readAllMs', value: await medianMs(() => way.readAll(store)) },
    );
    if (text === '') return;
    printLines({ type: 'figure', figure: 'readParagraphMs', value: await readParagraph(way, store, text) });
  } finally {
    await store.close();
  }
}

/** If parts cannot be read by themselves, a paragraph costs as much as all. */
async function readParagraph(way: Way, store: Store, text: string): Promise<number> {
  const { start, end } = middleParagraph(text);
  const { paragraphs } = way;
  let read = '';
  let takenMs: number;
  if (paragraphs === undefined) {
    takenMs = await medianMs(async () => {
      read = (await way.readAll(store)).slice(start, end);
    });
  } else {
    const anchor = await paragraphs.anchorAt(store, start);
    takenMs = await medianMs(async () => {
      read = await paragraphs.read(store, anchor);
    });
  }
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
  return quantile(timesMs.sort(), 0.5);
}

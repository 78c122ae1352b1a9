/** `node main.ts JSON`: a process of one trial. Saves or loads one document again and again, and prints what that took. */
import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type Delta from 'quill-delta';
import { median } from '../../analysis/statistics/quantile.ts';
import { findFramework } from '../../frameworks/discover.ts';
import { loadClient } from '../../frameworks/framework.ts';
import type { EngineDocument } from '../engines/engine.ts';
import { loadEngine } from '../engines/load.ts';
import { growth, measureTask, memoryAfterCollection, printFigures, requireText, timeLoad } from '../measurement.ts';
import { makeEdit, readEdits } from '../replay/edits.ts';
import { SubjectFailure } from '../scenario.ts';
import { each, inOrderOf, printSides, type Side, sideOf, tell } from '../turns.ts';
import { changedSaves, savedAs } from './saving.ts';

interface Repetitions {
  warmUps: number;
  repetitions: number;
}

/** Replays a document and saves it, again and again. */
interface SaveTask extends Repetitions {
  step: 'save';
  engine: string;
  /** Of the replica that is typed into. */
  identity: number;
  /** The name of the encoding among the engine's. */
  encoding: string;
  edits: string;
  /** The path for the saved document. */
  state: string;
}

/** Loads a saved document, again and again, in a process that has done nothing else. */
interface LoadTask extends Repetitions {
  step: 'load';
  engine: string;
  state: string;
  /** For the text that it must hold. */
  edits: string;
}

/** Loads what trials saved, each by the client half of its framework, by turns. */
interface LoadOfTrialsTask extends Repetitions {
  step: 'load-of-trials';
  states: readonly { framework: string; path: string }[];
}

export type StateTask = SaveTask | LoadTask | LoadOfTrialsTask;

const KIB = 1024;

async function measureSaving({ identity, encoding, ...task }: SaveTask): Promise<void> {
  const engine = await loadEngine(task.engine);
  const edits = await readEdits(task.edits);
  const document = await engine.open({ identity, updates: false });
  for (let number = 0; number < edits.count; number++) makeEdit(document, edits, number);
  requireText(document.text(), edits.endContent, 'the document');
  const { bytes } = savedAs(document, encoding);
  await writeFile(task.state, bytes);
  printFigures(sizesOf(bytes, edits.endContent, JSON.stringify([{ insert: edits.endContent }])));
  const save = changedSaves(document, encoding, edits.endContent.length);
  printTimes('save', await repeat(task, async () => save()));
  document.free?.();
}

async function measureLoading(task: LoadTask): Promise<void> {
  const engine = await loadEngine(task.engine);
  const { endContent } = await readEdits(task.edits);
  const saved = await bytesIn(task.state);
  const load = async () => engine.load!(saved);
  await printMemory(load);
  const times = await repeat(task, () => timeLoad(load, endContent));
  printTimes(
    'load',
    times.map(({ loadedMs }) => loadedMs),
  );
  printFigures({ loadTextMs: statisticsOf(times.map(({ textMs }) => textMs)).mean });
}

/** A client half hands out what the document holds, so there is no loading without reading. */
async function measureLoadingOfTrials({ states, warmUps, repetitions }: LoadOfTrialsTask): Promise<void> {
  const sides = states.map(({ framework, path }) => ({ ...sideOf(framework), path, tookMs: [] as number[] }));
  const loads = new Map<Side, () => Promise<Delta>>();
  await each(sides, async (side) => {
    const client = await loadClient(await findFramework(side.name));
    if (client.load === undefined) throw new SubjectFailure('not-offered', 'it cannot load a state without joining');
    const saved = await bytesIn(side.path);
    const load = async () => client.load!(saved);
    const { ops } = await load();
    const text = ops.map(({ insert }) => (typeof insert === 'string' ? insert : '')).join('');
    tell(side, sizesOf(saved, text, JSON.stringify(ops)));
    loads.set(side, load);
  });
  for (let round = 0; round < warmUps + repetitions; round++) {
    await each(inOrderOf(sides, round), async (side) => {
      const startMs = performance.now();
      await loads.get(side)!();
      if (round >= warmUps) side.tookMs.push(performance.now() - startMs);
    });
  }
  // A collection that falls into one load would outweigh all others: states of trials load in less than a millisecond.
  await each(sides, (side) => tell(side, { loadTextMs: median(side.tookMs) }));
  printSides('state', sides);
}

/** In a function of its own: the caller would keep the buffer for a while, and its end would be taken off a document's memory. */
async function bytesIn(path: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(path));
}

/** @returns an answer of each repetition, but for the warm-ups */
async function repeat<Measured>(
  { warmUps, repetitions }: Repetitions,
  measure: () => Promise<Measured>,
): Promise<Measured[]> {
  const times: Measured[] = [];
  for (let round = 0; round < warmUps + repetitions; round++) times.push(await measure());
  return times.slice(warmUps);
}

function sizesOf(saved: Uint8Array, text: string, quillJson: string): Record<string, number> {
  return {
    savedKiB: saved.byteLength / KIB,
    gzippedKiB: gzipSync(saved).byteLength / KIB,
    quillRatio: saved.byteLength / Buffer.byteLength(quillJson),
    characters: text.length,
  };
}

function printTimes(name: 'save' | 'load', times: readonly number[]): void {
  const { mean, deviation } = statisticsOf(times);
  printFigures({ [`${name}Ms`]: mean, [`${name}DeviationMs`]: deviation });
}

function statisticsOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0 };
}

/** Of the first document that this process loads. */
async function printMemory(load: () => Promise<EngineDocument>): Promise<void> {
  const before = await memoryAfterCollection();
  const loaded = await load();
  printFigures({ ...growth(before, await memoryAfterCollection()) });
  // It must be there until its memory is read.
  loaded.free?.();
}

// Last, so that all that it needs is there.
await measureTask((task: StateTask) => {
  switch (task.step) {
    case 'save':
      return measureSaving(task);
    case 'load':
      return measureLoading(task);
    case 'load-of-trials':
      return measureLoadingOfTrials(task);
  }
});

/** The process that measures, from the inside: its task, the lines that it prints, and its memory. */
import { setImmediate } from 'node:timers/promises';
import type { RecordLine } from '../results/formats/records.ts';
import type { EngineDocument } from './engines/engine.ts';
import { SubjectFailure } from './scenario.ts';

export const KIB = 1024;
export const MIB = 2 ** 20;
/** Characters shown on each side of a difference. */
const CONTEXT = 20;

/**
 * Measures the task of this process, which `measuringCommand` wrote. A failure of what it measures is a line of the record;
 * any other error ends the process.
 */
export async function measureTask<Task>(measure: (task: Task) => Promise<void>): Promise<void> {
  try {
    await measure(JSON.parse(process.argv[2]!) as Task);
  } catch (error) {
    if (!(error instanceof SubjectFailure)) throw error;
    printLines({ type: 'failure', code: error.code, message: error.message });
  }
}

/** Hands lines to the process that started this one. */
export function printLines(...lines: RecordLine[]): void {
  process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

export function printFigures(figures: Readonly<Record<string, number | null>>): void {
  printLines(...figureLines(figures));
}

/** A line for each figure that is known. */
export function figureLines(figures: Readonly<Record<string, number | null>>): RecordLine[] {
  return Object.entries(figures).flatMap(([figure, value]): RecordLine[] =>
    value === null ? [] : [{ type: 'figure', figure, value }],
  );
}

/** A line for each note that holds, by its code. */
export function noteLines(notes: Readonly<Record<string, [holds: boolean, message: string]>>): RecordLine[] {
  return Object.entries(notes).flatMap(([code, [holds, message]]): RecordLine[] =>
    holds ? [{ type: 'note', code, message }] : [],
  );
}

/**
 * A subject must hold this text.
 *
 * @param subject the subject of the message, such as "the document"
 * @throws SubjectFailure `wrong-content`
 */
export function requireText(seen: string, expected: string, subject: string): void {
  if (seen === expected) return;
  let place = 0;
  while (place < expected.length && seen[place] === expected[place]) place++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, place - CONTEXT), place + CONTEXT));
  throw new SubjectFailure(
    'wrong-content',
    `${subject} holds another text than was typed: first at character ${place}, expected ${around(expected)}, saw ${around(seen)} (length expected: ${expected.length}, seen: ${seen.length})`,
  );
}

/**
 * Loads a document that was saved, and compares its text.
 *
 * @returns the time until it was loaded, and until its text was there: some engines put off their work until somebody reads
 */
export async function timeLoad(
  load: () => EngineDocument | Promise<EngineDocument>,
  expected: string,
): Promise<{ loadedMs: number; textMs: number }> {
  const startMs = performance.now();
  const loaded = await load();
  const loadedMs = performance.now() - startMs;
  const text = loaded.text();
  const textMs = performance.now() - startMs;
  requireText(text, expected, 'the document that was saved and loaded');
  loaded.free?.();
  return { loadedMs, textMs };
}

/** Memory of this process. */
export interface Memory {
  /** JavaScript's objects. */
  heapMiB: number;
  /** Buffers, and memories of WebAssembly. */
  externalMiB: number;
  /** Of the whole process, as the system counts it. */
  residentMiB: number;
}

/** After a garbage collection. @throws Error if Node does not offer the collection */
export async function memoryAfterCollection(): Promise<Memory> {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('this process was not started with --expose-gc');
  // Memory that finalizers let go is collected the second time.
  for (let round = 0; round < 2; round++) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapMiB: heapUsed / MIB, externalMiB: external / MIB, residentMiB: rss / MIB };
}

/** Memory added since, in whole KiB: less is noise. */
export function growth(before: Memory, now: Memory): Memory {
  return {
    heapMiB: wholeKiB(now.heapMiB - before.heapMiB),
    externalMiB: wholeKiB(now.externalMiB - before.externalMiB),
    residentMiB: wholeKiB(now.residentMiB - before.residentMiB),
  };
}

/** To the next KiB, in MiB. */
export function wholeKiB(mib: number): number {
  return Math.round(mib * 1024) / 1024;
}

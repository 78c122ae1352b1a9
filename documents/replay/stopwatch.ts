/**
 * Times edits while costing next to nothing: the clock takes longer than the quickest engines' edits, so it is read once for
 * several of them.
 */
import { setImmediate } from 'node:timers/promises';
import { fitLine } from '../../analysis/statistics/interval.ts';
import { meanOfKnown } from '../../analysis/statistics/quantile.ts';
import type { EngineDocument } from '../engines/engine.ts';
import { printFigures } from '../measurement.ts';
import { SubjectFailure } from '../scenario.ts';

/** The clock takes about 40 ns: a twentieth of that for each edit. */
export const EDITS_PER_READING = 8;

/** An update of a key, in bytes, as many engines have it. */
const USUAL_UPDATE = new Uint8Array(30);

/** A document that does nothing. */
const IDLE: EngineDocument = { edit() {}, text: () => '', takeUpdate: () => USUAL_UPDATE, receive() {} };

/** So often until the loop is compiled, as it is for most of a measurement. The least counts: others may interrupt so short a loop. */
const HARNESS_ROUNDS = 4;

/**
 * Cost of a measurement's loop without an engine.
 *
 * @param edits how many it makes
 * @param time  makes them in this document, or in several of its kind; ms
 */
export async function printHarnessCost(edits: number, time: (idle: EngineDocument) => Promise<number>): Promise<void> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < HARNESS_ROUNDS; round++) leastMs = Math.min(leastMs, await time(IDLE));
  printFigures({ harnessNsPerEdit: (1e6 * leastMs) / edits });
}

export interface Timed {
  totalMs: number;
  /** Of the slowest `EDITS_PER_READING` edits in a row: no single edit took longer. */
  worstMs: number;
  /** How many were done in time. */
  done: number;
  /** The number of edits at each point's end, and what one took there, in microseconds. */
  curve: { x: number[]; y: number[] };
}

/** A point of the curve stands for so many edits, or for more if there would be more points than that. */
const EDITS_PER_POINT = 1000;
const MOST_POINTS = 400;
/** A multiple of `EDITS_PER_READING`; a person types as many in some minutes. */
export const EDITS_PER_STRETCH = 1000;

/** A clock for edits that are made in stretches, between which it stands. */
class Stopwatch {
  readonly timed: Timed = { totalMs: 0, worstMs: 0, done: 0, curve: { x: [], y: [] } };
  readonly #count: number;
  readonly #make: (index: number) => void;
  readonly #limitMs: number;
  readonly #between: (() => void) | null;
  readonly #editsPerPoint: number;
  #pointMs = 0;

  /**
   * @param make     makes the edit of this number
   * @param limitMs  no further edit is made once they took longer
   * @param between  does what is not to be timed, after every few edits
   */
  constructor(count: number, make: (index: number) => void, limitMs: number, between: (() => void) | null = null) {
    this.#count = count;
    this.#make = make;
    this.#limitMs = limitMs;
    this.#between = between;
    const readings = Math.max(Math.ceil(count / MOST_POINTS / EDITS_PER_READING), EDITS_PER_POINT / EDITS_PER_READING);
    this.#editsPerPoint = readings * EDITS_PER_READING;
  }

  /**
   * Makes the next edits, at most so many.
   *
   * @returns true if some are left, and time for them
   */
  run(atMost: number): boolean {
    const count = this.#count;
    const make = this.#make;
    const between = this.#between;
    let { done, totalMs, worstMs } = this.timed;
    const last = Math.min(count, done + atMost);
    let beforeMs = performance.now();
    while (done < last && totalMs <= this.#limitMs) {
      const until = Math.min(last, done + EDITS_PER_READING);
      for (; done < until; done++) make(done);
      const nowMs = performance.now();
      const tookMs = nowMs - beforeMs;
      if (tookMs > worstMs) worstMs = tookMs;
      totalMs += tookMs;
      if (done % this.#editsPerPoint === 0 || done === count) this.#addPoint(done, totalMs);
      beforeMs = nowMs;
      if (between !== null) {
        between();
        beforeMs = performance.now();
      }
    }
    Object.assign(this.timed, { done, totalMs, worstMs });
    return done < count && totalMs <= this.#limitMs;
  }

  #addPoint(done: number, totalMs: number): void {
    const { x, y } = this.timed.curve;
    const from = x.at(-1) ?? 0;
    x.push(done);
    y.push((1000 * (totalMs - this.#pointMs)) / (done - from));
    this.#pointMs = totalMs;
  }
}

type TimedEdits = ConstructorParameters<typeof Stopwatch>;

/** Edits in one go, as in a transaction of all: nothing else runs meanwhile. The parameters are those of `Stopwatch`. */
export function timeEdits(...edits: TimedEdits): Timed {
  const watch = new Stopwatch(...edits);
  watch.run(Number.POSITIVE_INFINITY);
  return watch.timed;
}

/** The same, but the thread is let go every `EDITS_PER_STRETCH` edits. */
export function timeEditsInStretches(...edits: TimedEdits): Promise<Timed> {
  return timeInStretches(EDITS_PER_STRETCH, ...edits);
}

/** The same with stretches of so many edits, or batches of them: a multiple of `EDITS_PER_READING`. */
export async function timeInStretches(perStretch: number, ...edits: TimedEdits): Promise<Timed> {
  const watch = new Stopwatch(...edits);
  while (watch.run(perStretch)) await letGo();
  return watch.timed;
}

/**
 * Time for promises and finalizers of a library, as between a person's keys; without it they pile up in its memory.
 *
 * @returns the time of that, ms, which is no edit's
 */
export async function letGo(): Promise<number> {
  const startMs = performance.now();
  await setImmediate();
  return performance.now() - startMs;
}

/** @throws SubjectFailure `out-of-time` if not all was done */
export function requireAll({ done, totalMs }: Timed, count: number): void {
  if (done === count) return;
  const message = `it had made ${done} of ${count} edits after ${(totalMs / 1000).toFixed(1)} s`;
  throw new SubjectFailure('out-of-time', message);
}

/**
 * Estimates the time of all edits of a trace for an engine that was given its first ones.
 *
 * Goes on with the straight line that fits the curve best, by least squares: an edit takes longer by as much for each that was
 * made before it. A curve that bends upwards makes it too short. If the line falls, as while code is compiled, an edit goes on to
 * take the mean: further on the line would lie below nothing.
 *
 * @param curve  microseconds of an edit, at the number of edits made
 * @param count  of all edits
 * @returns      ms for all of them
 */
export function extrapolate({ x, y }: Timed['curve'], count: number): number {
  const points = x.map((edits, index) => ({ x: edits, y: y[index]! }));
  const line = fitLine(points);
  const { start, slope } = line !== null && line.slope > 0 ? line : { start: meanOfKnown(y)!, slope: 0 };
  return (count * (start + (slope * count) / 2)) / 1000;
}

/**
 * Times edits while costing next to nothing: the clock takes longer than the quickest engines' edits, so it is read once for
 * several of them.
 */
import { fitLine } from '../../analysis/statistics/interval.ts';
import { meanOfKnown } from '../../analysis/statistics/quantile.ts';
import { SubjectFailure } from '../scenario.ts';

/** The clock takes about 40 ns: a twentieth of that for each edit. */
export const EDITS_PER_READING = 8;

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

/**
 * @param make     makes the edit of this number
 * @param limitMs  no further edit is made after that
 * @param between  does what is not to be timed, after every few edits
 */
export function timeEdits(
  count: number,
  make: (index: number) => void,
  limitMs: number,
  between: (() => void) | null = null,
): Timed {
  const readings = Math.ceil(count / EDITS_PER_READING);
  const perPoint = Math.max(1, Math.ceil(count / MOST_POINTS / EDITS_PER_READING), EDITS_PER_POINT / EDITS_PER_READING);
  const curve: Timed['curve'] = { x: [], y: [] };
  let worstMs = 0;
  let totalMs = 0;
  let pointMs = 0;
  let done = 0;
  let beforeMs = performance.now();
  const endMs = beforeMs + limitMs;
  for (let reading = 1; reading <= readings; reading++) {
    const until = Math.min(count, reading * EDITS_PER_READING);
    for (; done < until; done++) make(done);
    const nowMs = performance.now();
    const tookMs = nowMs - beforeMs;
    if (tookMs > worstMs) worstMs = tookMs;
    totalMs += tookMs;
    if (reading % perPoint === 0 || done === count) {
      const from = curve.x.at(-1) ?? 0;
      curve.x.push(done);
      curve.y.push((1000 * (totalMs - pointMs)) / (done - from));
      pointMs = totalMs;
    }
    if (nowMs > endMs) break;
    beforeMs = nowMs;
    if (between !== null) {
      between();
      beforeMs = performance.now();
    }
  }
  return { totalMs, worstMs, done, curve };
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

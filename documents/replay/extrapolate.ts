/** What all edits of a trace would take an engine that was given its first ones. */
import type { Timed } from './stopwatch.ts';

/**
 * Goes on with the straight line that fits the curve best, by least squares: an edit takes longer by as much for each that was
 * made before it. A curve that bends upwards makes it too short.
 *
 * @param curve  microseconds of an edit, at the number of edits made
 * @param count  of all edits
 * @returns      ms for all of them
 */
export function extrapolate({ x, y }: Timed['curve'], count: number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  const spread = x.reduce((sum, each) => sum + (each - meanX) ** 2, 0);
  const slope =
    spread === 0 ? 0 : x.reduce((sum, each, index) => sum + (each - meanX) * (y[index]! - meanY), 0) / spread;
  const first = meanY - slope * meanX;
  return (count * (first + (slope * count) / 2)) / 1000;
}

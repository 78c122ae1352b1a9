/** Equivalence of two ways of measuring, within a bound, by two one-sided tests over pairs. */
import { criticalValue } from './student-t.ts';

/** Each of the two tests errs so often. */
const ERROR = 0.05;

export interface Equivalence {
  /** The second of the pairs ÷ the first, geometric mean. */
  ratio: number;
  /** Of the ratio: both tests pass where it lies within the bound. */
  low: number;
  high: number;
  isWithin: boolean;
}

/**
 * @param pairs above 0, of which there are at least two
 * @param bound such as 0.05: the ratio lies between 1 ÷ 1.05 and 1.05
 * @returns null if a pair lacks a figure, or there are fewer than two
 * @see Schuirmann 1987, "A comparison of the two one-sided tests procedure and the power approach for assessing the
 *      equivalence of average bioavailability"
 */
export function areEquivalent(pairs: readonly (readonly [number, number])[], bound: number): Equivalence | null {
  if (pairs.length < 2 || pairs.some((pair) => pair.some((figure) => !(figure > 0)))) return null;
  const logs = pairs.map(([first, second]) => Math.log(second / first));
  const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length;
  const variance = logs.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (logs.length - 1);
  const margin = criticalValue(1 - 2 * ERROR, logs.length - 1) * Math.sqrt(variance / logs.length);
  const [low, high] = [Math.exp(mean - margin), Math.exp(mean + margin)];
  return { ratio: Math.exp(mean), low, high, isWithin: low >= 1 / (1 + bound) && high <= 1 + bound };
}

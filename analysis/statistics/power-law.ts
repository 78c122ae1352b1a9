/** How a figure grows with the number of users: the exponent of a power law. */
import { criticalValue, type Interval } from './interval.ts';

/** Two positions give a line whatever lies between them. */
export const MIN_POSITIONS = 3;
const CONFIDENCE = 0.95;

export interface PowerLaw {
  /** 1: grows with x; 2: with its square. */
  exponent: number;
  /** 95 % interval of the exponent. */
  interval: Interval;
}

/**
 * Fits y = c·x^b by least squares on log-log scales, with Student's t interval for b from what the points leave over: n - 2
 * degrees of freedom. What a trial's figure is off by is a factor, so it is alike on that scale. The interval holds only as
 * far as the points lie along one line there; where they bend, they leave more over, and it widens.
 *
 * @param points one per trial; what is not above 0 has no logarithm, and is left out
 * @returns null if there are fewer than three different x
 * @see Draper & Smith 1998, "Applied Regression Analysis", 3rd edition, section 1.4
 */
export function fitPowerLaw(points: readonly { x: number; y: number }[]): PowerLaw | null {
  const logs = points.filter(({ x, y }) => x > 0 && y > 0).map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
  if (new Set(logs.map(({ x }) => x)).size < MIN_POSITIONS) return null;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(logs.map(({ x }) => x)), mean(logs.map(({ y }) => y))];
  const sum = (term: (point: { x: number; y: number }) => number) =>
    logs.reduce((total, point) => total + term(point), 0);
  const spread = sum(({ x }) => (x - meanX) ** 2);
  const exponent = sum(({ x, y }) => (x - meanX) * (y - meanY)) / spread;
  const left = sum(({ x, y }) => (y - meanY - exponent * (x - meanX)) ** 2);
  const degrees = logs.length - 2;
  const margin = criticalValue(CONFIDENCE, degrees) * Math.sqrt(left / degrees / spread);
  return { exponent, interval: { low: exponent - margin, high: exponent + margin } };
}

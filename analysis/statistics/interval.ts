/** Confidence intervals over trials, which are the independent unit: samples within a trial are not. */
import { criticalValue } from './student-t.ts';

/** With two trials the interval is twelve standard errors to either side and says nothing. */
export const MIN_TRIALS = 3;
const CONFIDENCE = 0.95;

/** The difference between an interval and the figure beside it, for each place that shows both. */
export const INTERVAL_MEANING =
  'An interval is for the centre of the trials’ own figures; a latency or throughput beside it pools all their samples instead, so it need not lie in the middle of its interval, nor within it.';

export interface Interval {
  low: number;
  high: number;
}

/**
 * The 95 % interval for what a trial's figure is at its centre: Student's t over one figure per trial.
 *
 * Latencies are skewed to the right, and what disturbs a trial multiplies them, so they belong on the `log` scale: the
 * interval is then one for the geometric mean. Its coverage is simulated in interval.test.ts: 95 % there, and so on
 * the linear scale for figures that spread evenly. Throughput is bounded at 100 and skewed, and its interval covers less:
 * 85 to 90 % where every trial loses some edits, 60 to 83 % where seven of ten lose none, because trials that are all
 * whole give an interval of no width.
 * @param figures one per trial
 * @returns null if there are fewer than three figures, or one on the log scale is not above zero
 * @see Student 1908, "The probable error of a mean"
 */
export function interval95(figures: readonly number[], scale: 'linear' | 'log'): Interval | null {
  const n = figures.length;
  if (n < MIN_TRIALS || (scale === 'log' && figures.some((figure) => figure <= 0))) return null;
  const values = scale === 'log' ? figures.map(Math.log) : figures;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const margin = criticalValue(CONFIDENCE, n - 1) * Math.sqrt(variance / n);
  const interval = { low: mean - margin, high: mean + margin };
  return scale === 'log' ? { low: Math.exp(interval.low), high: Math.exp(interval.high) } : interval;
}

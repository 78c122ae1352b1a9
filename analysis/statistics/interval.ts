/**
 * Confidence intervals over trials, which are the independent unit (samples within a trial are not), the distribution behind
 * them, Student's t for whole degrees of freedom, and power laws with their intervals.
 */

/** With two trials the interval is twelve standard errors to either side and says nothing. */
export const MIN_TRIALS = 3;
export const CONFIDENCE = 0.95;

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
  const { mean, meanVariance } = describe(values);
  const margin = criticalValue(CONFIDENCE, n - 1) * Math.sqrt(meanVariance);
  const interval = { low: mean - margin, high: mean + margin };
  return scale === 'log' ? { low: Math.exp(interval.low), high: Math.exp(interval.high) } : interval;
}

export interface Sample {
  n: number;
  mean: number;
  /** The square of the mean's standard error. */
  meanVariance: number;
}

/** Sums are of what lies above the first value, so that equal values have that very mean, and no variance. */
export function describe(values: readonly number[]): Sample {
  const n = values.length;
  const first = values[0]!;
  const mean = first + values.reduce((sum, value) => sum + (value - first), 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  return { n, mean, meanVariance: variance / n };
}

/**
 * The probability that |T| <= t.
 *
 * For whole degrees of freedom the integral is a finite sum of powers of a cosine.
 * @param degrees degrees of freedom, a whole number from 1 on
 * @see Abramowitz & Stegun 1964, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4
 */
export function centralProbability(t: number, degrees: number): number {
  if (!Number.isInteger(degrees) || degrees < 1) {
    throw new RangeError(`degrees of freedom are a whole number from 1 on, but these are ${degrees}`);
  }
  const angle = Math.atan(t / Math.sqrt(degrees));
  const cosine = Math.cos(angle);
  const odd = degrees % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let power = odd ? 3 : 2; power <= degrees - 2; power += 2) {
    term *= ((power - 1) / power) * cosine ** 2;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}

/**
 * A value for degrees of freedom that are no whole number: between those of its neighbours, linear in 1/degrees, in which it is
 * nearly straight.
 */
function between(degrees: number, ofWhole: (degrees: number) => number): number {
  const below = Math.floor(degrees);
  const low = ofWhole(below);
  if (below === degrees) return low;
  const share = (1 / below - 1 / degrees) / (1 / below - 1 / (below + 1));
  return low + (ofWhole(below + 1) - low) * share;
}

/** The probability that |T| exceeds |t|. @param degrees from 1 on */
export function twoSidedP(t: number, degrees: number): number {
  if (!Number.isFinite(t)) return 0;
  return between(degrees, (whole) => 1 - centralProbability(Math.abs(t), whole));
}

/** The t that |T| exceeds with probability 1 - `confidence`: 4.303 for 0.95 and 2 degrees of freedom. @param degrees from 1 on */
export function criticalValue(confidence: number, degrees: number): number {
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`a confidence lies strictly between 0 and 1, but this is ${confidence}`);
  }
  return between(degrees, (whole) => {
    let low = 0;
    let high = 1;
    while (centralProbability(high, whole) < confidence) high *= 2;
    // Bisection: 60 halvings reach the precision of a double.
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2;
      if (centralProbability(middle, whole) < confidence) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  });
}

/** Two positions give a line whatever lies between them. */
export const MIN_POSITIONS = 3;

export interface Line {
  /** Its y where x is 0. */
  start: number;
  slope: number;
  /** 95 % interval of the slope, by what the points leave over; null of two points, which leave nothing over. */
  interval: Interval | null;
}

/**
 * Fits y = a + b·x by least squares, with Student's t interval for b: n - 2 degrees of freedom. It holds only as far as the points
 * lie along one line; where they bend, they leave more over, and it widens.
 *
 * @param points one per trial; where their y are off by unlike amounts, each has a weight: one over its variance, but for a factor
 * @returns null if there are fewer than two different x
 * @see Draper & Smith 1998, "Applied Regression Analysis", 3rd edition, section 1.4
 */
export function fitLine(points: readonly { x: number; y: number; weight?: number }[]): Line | null {
  if (new Set(points.map(({ x }) => x)).size < 2) return null;
  const sum = (term: (point: { x: number; y: number }) => number) =>
    points.reduce((total, { x, y, weight = 1 }) => total + weight * term({ x, y }), 0);
  const weights = sum(() => 1);
  const [meanX, meanY] = [sum(({ x }) => x) / weights, sum(({ y }) => y) / weights];
  const spread = sum(({ x }) => (x - meanX) ** 2);
  const slope = sum(({ x, y }) => (x - meanX) * (y - meanY)) / spread;
  const start = meanY - slope * meanX;
  const degrees = points.length - 2;
  if (degrees === 0) return { start, slope, interval: null };
  const left = sum(({ x, y }) => (y - start - slope * x) ** 2);
  const margin = criticalValue(CONFIDENCE, degrees) * Math.sqrt(left / degrees / spread);
  return { start, slope, interval: { low: slope - margin, high: slope + margin } };
}

export interface PowerLaw {
  /** 1: grows with x; 2: with its square. */
  exponent: number;
  /** 95 % interval of the exponent. */
  interval: Interval;
}

/** Points on log-log scales; what is not above 0 has no logarithm, and is left out. */
export function onLogScales(points: readonly { x: number; y: number }[]): { x: number; y: number }[] {
  return points.filter(({ x, y }) => x > 0 && y > 0).map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
}

/**
 * Fits y = c·x^b: a line on log-log scales. What a trial's figure is off by is a factor, so it is alike on that scale.
 *
 * @param points one per trial
 * @returns null if there are fewer than three different x
 */
export function fitPowerLaw(points: readonly { x: number; y: number }[]): PowerLaw | null {
  const logs = onLogScales(points);
  if (new Set(logs.map(({ x }) => x)).size < MIN_POSITIONS) return null;
  const { slope, interval } = fitLine(logs)!;
  return { exponent: slope, interval: interval! };
}

/** Student's t distribution for whole degrees of freedom. */

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
 * The probability that |T| exceeds |t|, also for degrees of freedom that are no whole number: between those of its
 * neighbours, linear in 1/degrees, in which it is nearly straight.
 *
 * @param degrees from 1 on
 */
export function twoSidedP(t: number, degrees: number): number {
  if (!Number.isFinite(t)) return 0;
  const below = Math.floor(degrees);
  const low = 1 - centralProbability(Math.abs(t), below);
  if (below === degrees) return low;
  const high = 1 - centralProbability(Math.abs(t), below + 1);
  const share = (1 / below - 1 / degrees) / (1 / below - 1 / (below + 1));
  return low + (high - low) * share;
}

/** The t that |T| exceeds with probability 1 - `confidence`: 4.303 for 0.95 and 2 degrees of freedom. */
export function criticalValue(confidence: number, degrees: number): number {
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`a confidence lies strictly between 0 and 1, but this is ${confidence}`);
  }
  let low = 0;
  let high = 1;
  while (centralProbability(high, degrees) < confidence) high *= 2;
  // Bisection: 60 halvings reach the precision of a double.
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (centralProbability(middle, degrees) < confidence) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The search for the most users that hold a criterion: which count to try next, given what trials have shown so far. It
 * is a function of those alone, so a search that was interrupted goes on where it was.
 *
 * Counts are doubled until one does not hold, and the gap is halved. One trial decides on the way; of the two counts at
 * the edge, the largest that held and the smallest above it that did not, each has three trials, of which more than half
 * must agree. One that changes its mind moves the edge, and the search goes on from there.
 */

/** `unknown`: the trial says nothing of the framework, for the harness or the machine spoilt it. */
export type Outcome = 'held' | 'missed' | 'unknown';

export interface Attempt {
  users: number;
  outcome: Outcome;
}

export interface SearchBounds {
  /** The count to begin with, and the smallest that is tried. */
  fewest: number;
  /** The largest that is tried. */
  most: number;
  /** The edge is known well enough if its two counts lie no further apart than this, or are neighbours. */
  precisionPercent: number;
  /** Trials that each count at the edge has at least; by default `EDGE_TRIALS`. */
  edgeTrials?: number;
}

export interface SearchState {
  /** The count to try next; null if the search is over. */
  next: number | null;
  /** The largest count that held and below which none did not; null if there is none. */
  largestHeld: number | null;
  /** The smallest count that did not hold, or of which it is not known; null if all up to the bound held. */
  end: { users: number; outcome: 'missed' | 'unknown' } | null;
}

/** Of three trials two agree, or the count is unknown. */
export const EDGE_TRIALS = 3;

/** The joint outcome of one count's trials; null if they disagree and another must decide. */
interface Opinion {
  outcome: Outcome | null;
  isFirm: boolean;
}

/** @throws RangeError if the bounds leave no count to try */
export function searchState(attempts: readonly Attempt[], bounds: SearchBounds): SearchState {
  const { fewest, most, precisionPercent, edgeTrials = EDGE_TRIALS } = bounds;
  if (!(fewest >= 1 && fewest <= most)) throw new RangeError(`there is no count from ${fewest} to ${most}`);
  // Those with fewer users were tried for another criterion, to which they may say nothing.
  const tried = attempts.filter(({ users }) => users >= fewest);
  const opinions = opinionsOf(tried, edgeTrials);
  const counts = [...opinions.keys()].sort((a, b) => a - b);
  const end = counts.find((users) => opinions.get(users)!.outcome !== 'held');
  const held = counts.findLast(
    (users) => opinions.get(users)!.outcome === 'held' && (end === undefined || users < end),
  );
  const state = {
    largestHeld: held ?? null,
    end: end === undefined ? null : { users: end, outcome: opinions.get(end)!.outcome ?? 'unknown' },
  } as Omit<SearchState, 'next'>;
  const toConfirm = [held, end].find((users) => users !== undefined && !opinions.get(users)!.isFirm) ?? null;
  if (end === undefined) {
    if (held === undefined) return { ...state, next: fewest };
    return { ...state, next: held >= most ? toConfirm : Math.min(2 * held, most) };
  }
  // A tie says nothing of where to look.
  if (opinions.get(end)!.outcome === null) return { ...state, next: end };
  const below = held ?? fewest - 1;
  // Below the fewest nothing was tried: the answer would be of a count that no trial had.
  const precision = held === undefined ? 1 : Math.max(1, Math.floor((below * precisionPercent) / 100));
  const isNear = end - below <= precision;
  const middle = Math.floor((below + end) / 2);
  // If memory holds no more than what held already, the answer waits for more of it.
  return { ...state, next: isNear ? toConfirm : below < most ? Math.min(middle, most) : middle };
}

function opinionsOf(attempts: readonly Attempt[], edgeTrials: number): Map<number, Opinion> {
  const groups = Map.groupBy(attempts, ({ users }) => users);
  return new Map([...groups].map(([users, trials]) => [users, opinionOf(trials, edgeTrials)]));
}

function opinionOf(trials: readonly Attempt[], edgeTrials: number): Opinion {
  const isFirm = trials.length >= edgeTrials;
  const votes = Map.groupBy(trials, ({ outcome }) => outcome);
  const agreed = [...votes].find(([, same]) => 2 * same.length > trials.length)?.[0];
  return { outcome: agreed ?? (isFirm ? 'unknown' : null), isFirm };
}

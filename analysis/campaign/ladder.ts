/**
 * A ladder: counts of users that each framework tries until one is given up. One trial passes a count on the way; the largest that
 * held, and the one that did not, each have two trials of three that agree. Browser-safe.
 */
import type { Rung } from '../../results/formats/run-directory.ts';

/** Of three trials. */
const MAJORITY = 2;

export type Tally = Pick<Rung, 'held' | 'missed'>;

export const GIVEN_UP: Tally = { held: 0, missed: MAJORITY };
const UNTRIED: Tally = { held: 0, missed: 0 };

/**
 * The counts that a framework has still to try, the next one first; none at the ladder's end. A count above one that was given up
 * is hopeless. One below a count that held is needless, unless it is smaller than all that stand before it in the ladder.
 *
 * @param counts in the order in which they are tried
 */
export function openCounts(counts: readonly number[], tallies: ReadonlyMap<number, Tally>): number[] {
  const { most, end } = edgeOf(tallies);
  const open = counts.filter((users, place) => {
    const isNeedless = users < (most ?? 0) && users >= Math.min(...counts.slice(0, place));
    return users < (end ?? Number.POSITIVE_INFINITY) && !isNeedless && !isHeld(tallies.get(users));
  });
  const above = open.filter((users) => users > (most ?? 0));
  // An answer does not rest on a single trial.
  const isLoose = above.length === 0 && most !== null && tallies.get(most)!.held < MAJORITY;
  return [...above, ...(isLoose ? [most] : []), ...open.filter((users) => users < (most ?? 0))];
}

/** The largest count that held and below which none was given up; and the smallest that was. Null: there is none. */
function edgeOf(tallies: ReadonlyMap<number, Tally>): { most: number | null; end: number | null } {
  const counts = [...tallies.keys()].sort((a, b) => a - b);
  const end = counts.find((users) => isGivenUp(tallies.get(users)!)) ?? null;
  const most = counts.findLast((users) => (end === null || users < end) && isHeld(tallies.get(users))) ?? null;
  return { most, end };
}

function isHeld({ held, missed }: Tally = UNTRIED): boolean {
  return held > missed;
}

function isGivenUp({ missed }: Tally): boolean {
  return missed >= MAJORITY;
}

/** How far a framework climbed. */
export interface Climb {
  /** The largest count that held; null: none. */
  most: number | null;
  /** The smallest that did not, and the part that gave out there; null: all held. */
  end: { users: number; gaveOut: string } | null;
  /** False if a trial may still change it. */
  isOver: boolean;
}

/**
 * @param counts of the ladder
 * @param rungs  of one framework, in one sitting or several: then most of them decide
 */
export function climbOf(counts: readonly number[], rungs: readonly Rung[]): Climb {
  const byUsers = Map.groupBy(rungs, ({ users }) => users);
  const tallies = new Map([...byUsers].map(([users, found]) => [users, overSittings(found)]));
  const { most, end } = edgeOf(tallies);
  const gaveOut = byUsers.get(end ?? 0)?.findLast((rung) => isGivenUp(rung))?.gaveOut ?? 'nothing full';
  const isOver = !openCounts(counts, tallies).some((users) => users >= (most ?? 0));
  return { most, end: end === null ? null : { users: end, gaveOut }, isOver };
}

function overSittings(found: readonly Tally[]): Tally {
  if (found.length === 1) return found[0]!;
  const [held, missed] = [found.filter(isHeld).length, found.filter(isGivenUp).length];
  return held > missed ? { held: MAJORITY, missed: 0 } : missed > 0 ? GIVEN_UP : UNTRIED;
}

/** `48, not 80`; what was not tried yet, it says. */
export function describeClimb({ most, end, isOver }: Climb): string {
  if (most === null && end === null) return 'not tried yet';
  if (end === null) return isOver ? `more than ${most}` : `${most} so far`;
  return `${most === null ? `fewer than ${end.users}` : `${most}, not ${end.users}`}${isOver ? '' : ' so far'}`;
}

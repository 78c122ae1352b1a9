/**
 * A ladder: counts of users that each framework tries until one is given up. One trial passes a count on the way; the largest that
 * held, and the one that did not, each have two trials of three that agree. Browser-safe.
 */
import type { Rung } from '../../results/formats/run-directory.ts';
import { NOTHING } from '../figures/figure-text.ts';

/** Of three trials. */
const MAJORITY = 2;

export type Tally = Pick<Rung, 'held' | 'missed'> & Partial<Pick<Rung, 'gaveOut'>>;

export const GIVEN_UP: Tally = { held: 0, missed: MAJORITY };
const UNTRIED: Tally = { held: 0, missed: 0 };

/** Parts that are no framework's: what they end says nothing of it. */
const OURS: readonly string[] = ['machine', 'recorder', 'harness'];
/** A count was given up, and no part was full. */
const NOTHING_FULL = 'nothing full';

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
    return users < (end ?? Number.POSITIVE_INFINITY) && !isNeedless && !isSettled(tallies.get(users));
  });
  const above = open.filter((users) => users > (most ?? 0));
  // An answer does not rest on a single trial.
  const isLoose = above.length === 0 && most !== null && tallies.get(most)!.held < MAJORITY;
  return [...above, ...(isLoose ? [most] : []), ...open.filter((users) => users < (most ?? 0))];
}

/** The largest count that held and below which none was given up; and the smallest that was. Null: there is none. */
function edgeOf(tallies: ReadonlyMap<number, Tally>): { most: number | null; end: number | null } {
  const counts = [...tallies.keys()].sort((a, b) => a - b);
  const greatest = counts.findLast((users) => isHeld(tallies.get(users))) ?? 0;
  // A count that was spoilt tells nothing where a larger one held.
  const isSpoilt = (users: number) => users < greatest && OURS.includes(tallies.get(users)!.gaveOut ?? '');
  const end = counts.find((users) => isGivenUp(tallies.get(users)) && !isSpoilt(users)) ?? null;
  const most = counts.findLast((users) => (end === null || users < end) && isHeld(tallies.get(users))) ?? null;
  return { most, end };
}

function isHeld({ held, missed }: Tally = UNTRIED): boolean {
  return held > missed;
}

function isGivenUp({ missed }: Tally = UNTRIED): boolean {
  return missed >= MAJORITY;
}

/** True if no further trial can change whether the count holds, but for one more of the largest that did. */
export function isSettled(tally?: Tally): boolean {
  return isHeld(tally) || isGivenUp(tally);
}

/** The part that gave out at a count, by the parts of its trials that did not hold: a framework only if none was spoilt. */
export function partOf(parts: readonly (string | null)[]): string | null {
  return parts.find((part) => part !== null && OURS.includes(part)) ?? parts.findLast((part) => part !== null) ?? null;
}

/** How far a framework climbed. */
export interface Climb {
  /** The largest count that held; null: none. */
  most: number | null;
  /** The smallest that did not, and the parts that gave out in sittings that came no further; null: all held. */
  end: { users: number; gaveOut: readonly string[] } | null;
  /** The largest counts that held in sittings that are over, or else in all, the least and the greatest of them; 0: none held. */
  range: readonly [least: number, greatest: number];
  /** False if a trial may still change it. */
  isOver: boolean;
}

/**
 * How far a framework climbed in most sittings. A sitting whose climb went beyond a count says that it held, tried or not; one that
 * ended below a count says that it did not. Where as many say this as that, it did not.
 *
 * @param sittings the rungs of each, of all frameworks
 * @param counts   of the ladder
 */
export function climbOf(framework: string, sittings: readonly (readonly Rung[])[], counts: readonly number[]): Climb {
  const own = sittings.map((rungs) => rungs.filter((rung) => rung.framework === framework));
  const climbs = own.filter(({ length }) => length > 0).map((rungs) => climbIn(rungs, counts));
  const tried = [...new Set(own.flat().map(({ users }) => users))].sort((a, b) => a - b);
  const held = (users: number) => climbs.filter(({ most }) => users <= most).length;
  const missed = (users: number) => climbs.filter(({ end }) => end !== null && users >= end).length;
  const end = tried.find((users) => missed(users) > 0 && missed(users) >= held(users)) ?? null;
  const most = tried.findLast((users) => (end === null || users < end) && held(users) > missed(users)) ?? null;
  // A sitting that ended beyond says nothing of what gave out here.
  const ended = climbs.filter((climb) => climb.end !== null && end !== null && climb.end <= end);
  const gaveOut = [...new Set(ended.map((climb) => climb.gaveOut))];
  const whole = climbs.filter(({ isOver }) => isOver);
  const mosts = (whole.length > 0 ? whole : climbs).map((climb) => climb.most);
  return {
    most,
    end: end === null ? null : { users: end, gaveOut },
    range: [Math.min(...mosts), Math.max(...mosts)],
    isOver: climbs.every(({ isOver }) => isOver),
  };
}

/** In one sitting. */
function climbIn(rungs: readonly Rung[], counts: readonly number[]) {
  const tallies = new Map(rungs.map((rung) => [rung.users, rung]));
  const { most, end } = edgeOf(tallies);
  const gaveOut = tallies.get(end ?? 0)?.gaveOut ?? NOTHING_FULL;
  const isOver = !openCounts(counts, tallies).some((users) => users >= (most ?? 0));
  return { most: most ?? 0, end, gaveOut, isOver };
}

/** True if a part that gave out is the framework's. */
export function isBlamed({ end }: Climb): boolean {
  return end?.gaveOut.some((part) => !OURS.includes(part)) ?? false;
}

/**
 * `48, not 80`; `48 (16–80), not 80` if sittings differ; `at least 48, not known from 80` if no framework is to blame. What was not
 * tried yet, it says.
 */
export function describeClimb(climb: Climb): string {
  const { most, end, range, isOver } = climb;
  const [least, greatest] = range;
  if (most === null && end === null) return least === 0 ? 'not known yet' : 'not tried yet';
  const spread = least === greatest ? '' : ` (${least}–${greatest})`;
  if (end === null) return `${isOver ? `at least ${most}` : `${most} so far`}${spread}`;
  const blamed = most === null ? `fewer than ${end.users}${spread}` : `${most}${spread}, not ${end.users}`;
  const unknown = `${most === null ? '' : `at least ${most}${spread}, `}not known from ${end.users}`;
  return `${isBlamed(climb) ? blamed : unknown}${isOver ? '' : ' so far'}`;
}

/**
 * In 12 characters at most, for a narrow table: `112, not 168`; `≥ 320` if no larger one was given up; so far `≥112, <224`; and
 * `≥112, 224?` if no framework is to blame.
 */
export function climbInShort(climb: Climb): string {
  const { most, end, isOver } = climb;
  if (end === null) return most === null ? NOTHING : `≥ ${most}`;
  if (!isBlamed(climb)) return `${most === null ? '' : `≥${most}, `}${end.users}?`;
  if (most === null) return `< ${end.users}`;
  return isOver ? `${most}, not ${end.users}` : `≥${most}, <${end.users}`;
}

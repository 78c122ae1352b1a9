/** The causes by which worlds fail: known issues of a framework, and findings. One that has a cause is only counted. */
import type { FrameworkAbout, KnownIssue } from '../../editors/base/framework.ts';
import type { Broken } from './play.ts';
import { FAULTS, kindsOf, type World, withoutKinds } from './world.ts';

/**
 * Why worlds fail: these invariants break, and do not if nothing of these kinds happens. If there are no kinds, they break without
 * any fault. `needsAll`: they do not if one of these kinds does not happen, as of a finding; else one of the kinds is enough.
 */
export type Cause = NonNullable<KnownIssue['worlds']> & { needsAll?: true };

/** Plays of one failed world at most, to see what explains it; usual are one or two for each cause that it may have. */
const MOST_PLAYS = 60;
/** No cause explains this. */
const NOT_PLAYED: Broken = { invariant: '', text: 'it was not played' };

/** How a world failed, and what tells why. */
export interface Failure {
  broken: Broken;
  /** Those that are known. */
  causes: readonly Cause[];
  /** Plays a world. @returns how it fails, or null */
  play(world: World): Promise<Broken | null>;
}

/**
 * @returns the place of the cause that a failed world has; -1 for none, or if without that it fails by what is not known. A
 *          world that takes too many plays has none
 */
export function causeOf(world: World, of: Failure): Promise<number> {
  let plays = 0;
  const play: Failure['play'] = async (without) => (++plays > MOST_PLAYS ? NOT_PLAYED : of.play(without));
  return placeOf(world, { ...of, play });
}

async function placeOf(world: World, of: Failure): Promise<number> {
  const { broken, causes, play } = of;
  /** Several at once: what is left is another's. */
  const isExplained = async (without: World, still: Broken | null): Promise<boolean> =>
    still === null || (await placeOf(without, { ...of, broken: still })) !== -1;
  const explains = async (cause: Cause): Promise<boolean> => {
    if (!mayExplain(cause, world, broken)) return false;
    const { after, needsAll, waitsForStore } = cause;
    if (waitsForStore && (await play({ ...world, store: { ...world.store, delayMs: 0 } })) !== null) return false;
    const without = withoutKinds(world, after.length === 0 ? FAULTS : after);
    const still = await play(without);
    if (after.length === 0) return still !== null && mayExplain(cause, without, still);
    if (!(await isExplained(without, still))) return false;
    for (const kind of needsAll && after.length > 1 ? after : []) {
      const withoutOne = withoutKinds(world, [kind]);
      if (!(await isExplained(withoutOne, await play(withoutOne)))) return false;
    }
    return true;
  };
  for (const [place, cause] of causes.entries()) if (await explains(cause)) return place;
  return -1;
}

/** True if the cause may have broken this world so. */
function mayExplain(cause: Cause, { store, servers, ...world }: World, broken: Broken): boolean {
  const { invariants, after, needsAll, hasStore, areSeveral, waitsForStore, says = '' } = cause;
  if (hasStore === (store === undefined) || areSeveral === (servers === undefined)) return false;
  if (waitsForStore && !store?.delayMs) return false;
  if (!invariants.includes(broken.invariant) || !broken.text.includes(says)) return false;
  const kinds = kindsOf(world);
  if (needsAll) return after.every((kind) => kinds.has(kind));
  return after.length === 0 || after.some((kind) => kinds.has(kind));
}

/** The place in the code that an error came from, as far as its text tells that, else all that it says; of other failures nothing. */
export function reasonOf({ invariant, text }: Broken): string | undefined {
  return /\S+:\d+:\d+\)+$/.exec(text)?.[0] ?? (invariant === 'sound' ? text : undefined);
}

/** True if both may have one reason: errors do not if they come from two places. */
export function failsAlike(one: Broken, other: Broken): boolean {
  return one.invariant === other.invariant && reasonOf(one) === reasonOf(other);
}

/** The faults of a world that cannot be smaller; if it has none, its edits other than insertions. */
export function causeKinds(smallest: World): string[] {
  const kinds = kindsOf(smallest);
  const faults = FAULTS.filter((kind) => kinds.has(kind));
  if (faults.length > 0) return [...faults];
  return [...kinds].filter((kind) => kind !== 'insert').sort();
}

/** The causes that are known issues. */
export function knownCausesOf({ knownIssues = [] }: FrameworkAbout): (Cause & { summary: string })[] {
  return knownIssues.flatMap(({ summary, worlds }) => (worlds === undefined ? [] : [{ ...worlds, summary }]));
}

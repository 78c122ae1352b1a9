/** The causes by which worlds fail: known issues of a framework, and findings. One that has a cause is only counted. */
import type { FrameworkAbout, KnownIssue } from '../../editors/base/framework.ts';
import type { Broken } from './play.ts';
import { FAULTS, kindsOf, type World, withoutKinds } from './world.ts';

/**
 * Why worlds fail: these invariants break, and do not if nothing of these kinds happens. If there are no kinds, they break without
 * any fault.
 */
export type Cause = NonNullable<KnownIssue['worlds']>;

/** How a world failed, and what tells why. */
export interface Failure {
  broken: Broken;
  /** Those that are known. */
  causes: readonly Cause[];
  /** Plays a world. @returns how it fails, or null */
  play(world: World): Promise<Broken | null>;
}

/** @returns the place of the cause that a failed world has; -1 for none, or if without that it fails by what is not known */
export async function causeOf(world: World, of: Failure): Promise<number> {
  const { broken, causes, play } = of;
  const explains = async (cause: Cause): Promise<boolean> => {
    if (!mayExplain(cause, world, broken)) return false;
    const { after, waitsForStore } = cause;
    if (waitsForStore && (await play({ ...world, store: { ...world.store, delayMs: 0 } })) !== null) return false;
    const without = withoutKinds(world, after.length === 0 ? FAULTS : after);
    const still = await play(without);
    if (after.length === 0) return still !== null && mayExplain(cause, without, still);
    // Several at once: what is left is another's.
    return still === null || (await causeOf(without, { ...of, broken: still })) !== -1;
  };
  for (const [place, cause] of causes.entries()) if (await explains(cause)) return place;
  return -1;
}

/** True if the cause may have broken this world so. */
function mayExplain(cause: Cause, { store, servers, ...world }: World, broken: Broken): boolean {
  const { invariants, after, hasStore, areSeveral, waitsForStore, says = '' } = cause;
  if (hasStore === (store === undefined) || areSeveral === (servers === undefined)) return false;
  if (waitsForStore && !store?.delayMs) return false;
  if (!invariants.includes(broken.invariant) || !broken.text.includes(says)) return false;
  const kinds = kindsOf(world);
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

/** The causes by which worlds fail: known issues of a framework, and findings. One that has a cause is only counted. */
import type { FrameworkAbout, KnownIssue } from '../../editors/base/framework.ts';
import type { Broken } from './play.ts';
import { FAULTS, kindsOf, type World, withoutKinds } from './world.ts';

/**
 * Why worlds fail: these invariants break, and do not if nothing of these kinds happens. If there are no kinds, they break without
 * any fault.
 */
export type Cause = NonNullable<KnownIssue['worlds']>;

/** @returns the place of the cause that a failed world has; -1 for none */
export async function causeOf(
  world: World,
  of: { broken: Broken; causes: readonly Cause[]; holds: (world: World) => Promise<boolean> },
): Promise<number> {
  const { broken, causes, holds } = of;
  const holdsWithout = (after: readonly string[]) => holds(withoutKinds(world, after));
  const possible = [...causes.entries()].filter(([, cause]) => mayExplain(cause, world, broken));
  const breaksAtOnce =
    possible.some(([, { waitsForStore }]) => waitsForStore) &&
    !(await holds({ ...world, store: { ...world.store, delayMs: 0 } }));
  const may = possible.filter(([, { waitsForStore }]) => !(waitsForStore && breaksAtOnce));
  for (const [place, { after }] of may) {
    if (after.length === 0 ? !(await holdsWithout(FAULTS)) : await holdsWithout(after)) return place;
  }
  // Several at once.
  if (may.length > 1 && (await holdsWithout(may.flatMap(([, { after }]) => after)))) return may[0]![0];
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

/** True if the cause broke this world, which cannot be smaller: one that needs no fault left none in it. */
export function explains(cause: Cause, smallest: World, broken: Broken): boolean {
  const kinds = kindsOf(smallest);
  const needsFault = FAULTS.some((kind) => kinds.has(kind));
  return mayExplain(cause, smallest, broken) && (cause.after.length > 0 || !needsFault);
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

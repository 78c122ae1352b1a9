/** The library drops what comes before something that it builds on; here it waits until that is there. */
import type { Model } from 'json-joy/lib/json-crdt/index.js';
import { Timespan, Timestamp } from 'json-joy/lib/json-crdt-patch/clock/index.js';
import type { Patch } from 'json-joy/lib/json-crdt-patch/index.js';

/** The session of what every document has before anyone writes. */
const SYSTEM_SESSION = 0;

/**
 * Applies patches, whatever their order, as long as those of one session are in theirs.
 *
 * @returns those that build on something that is not there yet
 */
export function applyInCausalOrder(model: Model, patches: readonly Patch[]): Patch[] {
  const waiting: Patch[] = [];
  /** Sessions with a waiting patch: their later patches build on it. */
  const heldBack = new Set<number | undefined>();
  // By Lamport's clock, what a patch builds on ended before its own last operation: one pass meets that first.
  for (const patch of patches.toSorted((a, b) => endOf(a) - endOf(b))) {
    const session = patch.getId()?.sid;
    if (!heldBack.has(session) && isReady(patch, model)) {
      model.applyPatch(patch);
    } else {
      heldBack.add(session);
      waiting.push(patch);
    }
  }
  return waiting;
}

function endOf({ ops }: Patch): number {
  const last = ops.at(-1);
  return last === undefined ? 0 : last.id.time + last.span();
}

function isReady(patch: Patch, { clock }: Model): boolean {
  const { sid: session, time: start } = patch.getId() ?? { sid: 0, time: 0 };
  const isThere = (stamp: Timestamp | Timespan) => {
    const { sid, time } = stamp;
    if (sid === SYSTEM_SESSION || (sid === session && time >= start)) return true;
    const end = time + (stamp instanceof Timespan ? stamp.span : 1);
    return end <= (sid === clock.sid ? clock.time : (clock.peers.get(sid)?.time ?? -1) + 1);
  };
  return patch.ops.every((op) => stampsIn(Object.values(op)).every(isThere));
}

function stampsIn(value: unknown): (Timestamp | Timespan)[] {
  if (value instanceof Timestamp || value instanceof Timespan) return [value];
  return Array.isArray(value) ? value.flatMap(stampsIn) : [];
}

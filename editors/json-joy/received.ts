/**
 * Others' changes to a text. They are found by the identities of its characters, because the library tells no positions, and
 * two texts alone do not show the newer of two equal neighbours. Patches apply in causal order.
 */

import type { Model, StrNode } from 'json-joy/lib/json-crdt/index.js';
import { type ClockVector, Timespan, Timestamp } from 'json-joy/lib/json-crdt-patch/clock/index.js';
import type { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import Delta from 'quill-delta';

/** Characters that one session typed one after the other, as far as they are shown. */
interface Run {
  session: number;
  time: number;
  length: number;
}

/** @returns the pieces that a text shows now, in order */
export function runsOf(text: StrNode): Run[] {
  const runs: Run[] = [];
  for (let chunk = text.first(); chunk !== undefined; chunk = text.next(chunk)) {
    if (!chunk.del) runs.push({ session: chunk.id.sid, time: chunk.id.time, length: chunk.span });
  }
  return runs;
}

/** @returns the text that came and went since the text showed these runs, without formats */
export function changeSince(before: readonly Run[], text: StrNode): Delta {
  const change = new Delta();
  let index = 0;
  /** Number of the run's characters met so far. */
  let met = 0;
  /** Characters kept since the last that came or went. Delta copies each operation, so one for every chunk would cost most. */
  let kept = 0;
  const afterKept = () => {
    if (kept > 0) change.retain(kept);
    kept = 0;
    return change;
  };
  // Deleted chunks keep their place, so all that was shown is met in the order in which it was.
  for (let chunk = text.first(); chunk !== undefined; chunk = text.next(chunk)) {
    for (let offset = 0; offset < chunk.span; ) {
      const run = before[index];
      const isOfSession = run !== undefined && run.session === chunk.id.sid;
      const until = isOfSession ? run.time + met - chunk.id.time : -1;
      if (isOfSession && until === offset) {
        const length = Math.min(chunk.span - offset, run.length - met);
        if (chunk.del) afterKept().delete(length);
        else kept += length;
        offset += length;
        met += length;
        if (met < run.length) continue;
        index++;
        met = 0;
      } else {
        const end = until > offset ? Math.min(until, chunk.span) : chunk.span;
        if (!chunk.del) afterKept().insert(chunk.data!.slice(offset, end));
        offset = end;
      }
    }
  }
  return change;
}

/** The session of what every document has before anyone writes. */
const SYSTEM_SESSION = 0;

/**
 * Applies patches in any order, as long as those of one session are in theirs. The library drops a patch that comes before
 * another that it builds on; here it waits until that is there.
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

/** The time after its last operation's. */
export function endOf({ ops }: Patch): number {
  const last = ops.at(-1);
  return last === undefined ? 0 : last.id.time + last.span();
}

/** True if the model has another session's patch: of each session, patches apply whole and in their order. */
export function isKnown(patch: Patch, { clock }: Model): boolean {
  const { sid, time } = patch.getId() ?? { sid: SYSTEM_SESSION, time: 0 };
  return isHeard(clock, sid, time);
}

/** True if what the session did at this time, or later, was applied. */
function isHeard({ peers }: ClockVector, session: number, time: number): boolean {
  return session === SYSTEM_SESSION || time <= (peers.get(session)?.time ?? -1);
}

function isReady(patch: Patch, { clock }: Model): boolean {
  const { sid: session, time: start } = patch.getId() ?? { sid: SYSTEM_SESSION, time: 0 };
  const isThere = (stamp: Timestamp | Timespan) => {
    const { sid, time } = stamp;
    const end = time + (stamp instanceof Timespan ? stamp.span : 1);
    // A range may begin in an earlier patch of the session and end in this one.
    const last = (sid === session ? Math.min(end, start) : end) - 1;
    if (last < time) return true;
    return sid === clock.sid ? last < clock.time : isHeard(clock, sid, last);
  };
  return patch.ops.every((op) => stampsIn(Object.values(op)).every(isThere));
}

function stampsIn(value: unknown): (Timestamp | Timespan)[] {
  if (value instanceof Timestamp || value instanceof Timespan) return [value];
  return Array.isArray(value) ? value.flatMap(stampsIn) : [];
}

/**
 * Others' changes to a text, found by the identities of its characters. The library tells no positions. Two texts alone do
 * not show which of two equal neighbours is the new one.
 */
import type { StrNode } from 'json-joy/lib/json-crdt/index.js';
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
  // Deleted chunks keep their place, so all that was shown is met in the order in which it was.
  for (let chunk = text.first(); chunk !== undefined; chunk = text.next(chunk)) {
    for (let offset = 0; offset < chunk.span; ) {
      const run = before[index];
      const isOfSession = run !== undefined && run.session === chunk.id.sid;
      const until = isOfSession ? run.time + met - chunk.id.time : -1;
      if (isOfSession && until === offset) {
        const length = Math.min(chunk.span - offset, run.length - met);
        if (chunk.del) change.delete(length);
        else change.retain(length);
        offset += length;
        met += length;
        if (met < run.length) continue;
        index++;
        met = 0;
      } else {
        const end = until > offset ? Math.min(until, chunk.span) : chunk.span;
        if (!chunk.del) change.insert(chunk.data!.slice(offset, end));
        offset = end;
      }
    }
  }
  return change;
}

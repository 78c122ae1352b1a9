/** Shows if a client applies changes of others at the ends of receive periods, as it is asked to: nothing else does. */
import { untilTick } from '../binding/batching.ts';
import type { Editor } from '../editor.ts';
import type { Batching } from '../framework.ts';

/** Changes of one batch come closer together. */
const APART_MS = 5;
/** A timer may be so much too early for its tick, and another may follow at the tick. */
const EARLY_MS = 2;

/** Periods in which others' changes came, and those in which some came apart: none where each batch waits for a period's end. */
export interface Gathering {
  receivePeriods: number;
  receivePeriodsApart: number;
}

/** Follows an editor from now on. However late a batch is: the next one waits for a tick after it, or for a whole period. */
export function watchGathering(editor: Editor, { receiveMs, receivePhaseMs }: Batching): Readonly<Gathering> {
  const seen: Gathering = { receivePeriods: 0, receivePeriodsApart: 0 };
  let [beganMs, endsMs, isApart] = [0, 0, false];
  editor.on('editor-change', (name, _change, _before, source) => {
    if (name !== 'text-change' || source === 'user' || receiveMs === 0) return;
    const atMs = performance.now();
    if (atMs >= endsMs) {
      endsMs = atMs + (receivePhaseMs === undefined ? receiveMs : untilTick(atMs, receiveMs, receivePhaseMs));
      [beganMs, isApart] = [atMs, endsMs - atMs <= EARLY_MS];
      if (!isApart) seen.receivePeriods++;
    } else if (!isApart && atMs >= beganMs + APART_MS && atMs < endsMs - EARLY_MS) {
      isApart = true;
      seen.receivePeriodsApart++;
    }
  });
  return seen;
}

/** Edits by turns of several engines in one process: each makes a few, then the next one. */
import { each, inOrderOf, isIn, type Side } from '../turns.ts';
import { BATCH_EDITS } from './remote.ts';

/** About a millisecond of most engines. */
export const EDITS_PER_TURN = 2 * BATCH_EDITS;

export interface Turns<Of extends Side> {
  /** Each side's time. */
  totalMs: ReadonlyMap<Of, number>;
  /** How many edits each side has made that is not out. */
  done: number;
}

/**
 * Goes through `count` edits by turns of all sides that are not out, until one has used up its time.
 *
 * @param options.turn makes a side's edits from `from` to before `until`, and returns the time of that, ms
 */
export async function takeTurns<Of extends Side>(
  sides: readonly Of[],
  { count, limitMs, turn }: { count: number; limitMs: number; turn: (side: Of, from: number, until: number) => number },
): Promise<Turns<Of>> {
  const totalMs = new Map(sides.map((side) => [side, 0]));
  const isInTime = () => Math.max(...totalMs.values()) < limitMs;
  let done = 0;
  for (let number = 0; done < count && sides.some(isIn) && isInTime(); number++) {
    const until = Math.min(count, done + EDITS_PER_TURN);
    await each(inOrderOf(sides, number), (side) => {
      totalMs.set(side, totalMs.get(side)! + turn(side, done, until));
    });
    done = until;
  }
  return { totalMs, done };
}

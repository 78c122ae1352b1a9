/** Turns of several engines in one process: each does a few edits, then the next one; none's failure is another's. */
import type { RecordLine } from '../../results/formats/records.ts';
import type { Engine } from '../engines/engine.ts';
import { SubjectFailure } from '../scenario.ts';
import { BATCH_EDITS } from './remote.ts';

/** About a millisecond of most engines. */
export const EDITS_PER_TURN = 2 * BATCH_EDITS;

/** One engine in the process. */
export interface Side {
  name: string;
  engine: Engine;
  lines: RecordLine[];
  /** True: it did not do its task, and takes no further turn. */
  isOut: boolean;
}

export interface Turns {
  /** Each side's time. */
  totalMs: ReadonlyMap<Side, number>;
  /** How many edits each side has made that is not out. */
  done: number;
}

/**
 * Goes through `count` edits by turns of all sides that are not out, until one has used up its time.
 *
 * @param options.turn makes a side's edits from `from` to before `until`, and returns the time of that, ms
 */
export async function takeTurns(
  sides: readonly Side[],
  {
    count,
    limitMs,
    turn,
  }: { count: number; limitMs: number; turn: (side: Side, from: number, until: number) => number },
): Promise<Turns> {
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

export function isIn({ isOut }: Side): boolean {
  return !isOut;
}

/** The order changes with each turn. */
export function inOrderOf(sides: readonly Side[], turn: number): readonly Side[] {
  return turn % 2 === 0 ? sides : sides.toReversed();
}

/** Does it for each side that is not out; one's failure is no other's. */
export async function each(sides: readonly Side[], act: (side: Side) => void | Promise<void>): Promise<void> {
  for (const side of sides) {
    if (side.isOut) continue;
    try {
      await act(side);
    } catch (error) {
      if (!(error instanceof SubjectFailure)) throw error;
      side.isOut = true;
      side.lines.push({ type: 'failure', code: error.code, message: error.message });
    }
  }
}

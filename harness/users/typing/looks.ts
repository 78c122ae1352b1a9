/**
 * Looks: between two keys, a user whose cursor others see puts it elsewhere, and back. automerge-perf's recording of a paper has
 * 102,049 moves of the cursor beside 259,778 edits, 0.4 to an edit; a look is two.
 */
import * as prng from 'lib0/prng';
import { SIGIL_NUMBERS } from '../../../editors/base/sigils.ts';
import type { Timer } from '../../../infra/clock.ts';
import type { Action } from './typist.ts';

/** The cursor goes nearby, and selects something there in half of the cases. */
const FARTHEST = 50;
const LONGEST = 50;
/** Users who have less time until their next key stay where they are. */
const LEAST_TIME_MS = 60;
/** Keeps looks apart from what the typist draws with the same seed, so that the same is typed with and without them. */
const LOOK_STREAM = 0x100c;

/** The two moves of a look; null: the user does not look now. */
export type NextLook = () => readonly [Action, Action] | null;

/** @param options.odds that the user looks after an edit */
export function createLooks({ user, seed, odds }: { user: number; seed: number; odds: number }): NextLook {
  const generator = prng.create((seed ^ LOOK_STREAM) * SIGIL_NUMBERS + user);
  const random = () => prng.real53(generator);
  return () => {
    if (random() >= odds) return null;
    const distance = Math.round((2 * random() - 1) * FARTHEST);
    const length = Math.max(0, Math.round((2 * random() - 1) * LONGEST));
    return [{ kind: 'look', distance, length }, { kind: 'look-back' }];
  };
}

/** Looks a third of the time to the next key away, and back after another. */
export async function look(
  moves: readonly [Action, Action] | null,
  untilMs: number,
  { timer, perform, signal }: { timer: Timer; perform: (action: Action) => Promise<unknown>; signal: AbortSignal },
): Promise<void> {
  const fromMs = timer.nowMs();
  const thirdMs = (untilMs - fromMs) / 3;
  if (moves === null || 3 * thirdMs < LEAST_TIME_MS) return;
  for (const [index, move] of moves.entries()) {
    await timer.until(fromMs + (index + 1) * thirdMs, signal);
    await perform(move);
  }
}

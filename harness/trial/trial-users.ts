/** What the document holds before anyone types: which text, who puts it in, and where users begin in it. */
import type { Edit } from '../../traces/edit.ts';
import type { Trace } from '../../traces/format.ts';
import { startText } from '../../traces/start-text.ts';
import { resolveTrace } from '../../traces/store.ts';
import { goldenFraction } from '../../traces/stretches.ts';
import type { Experiment } from '../experiment/experiment.ts';

/**
 * @param trace the one that users replay
 * @throws UserError (2) where the start's trace is not here, or too short
 */
export async function startOf(
  { start, trace: name }: Pick<Experiment, 'start' | 'trace'>,
  trace: Trace,
): Promise<string> {
  const { characters } = start;
  if (start.trace === null) return startText({ trace: null, characters });
  return startText({ trace: start.trace === name ? trace : await resolveTrace(start.trace), characters });
}

/** The first user; where a crowd is played, its first: what it types rests on the start, so that is in the recording. */
export function authorOfStart({ playedFrom }: { playedFrom: number | null }): number {
  return playedFrom ?? 0;
}

/**
 * Users begin all over the document, whose start their cursors stand at; its author, who put it in, goes on at its end.
 *
 * @returns a user's edits from there on
 */
export function beginningIn(start: string, { user, author }: { user: number; author: number }, edits: Edit[]): Edit[] {
  const [first, ...others] = edits;
  if (first === undefined) return [];
  const distance = user === author ? 0 : Math.floor(goldenFraction(user) * start.length);
  return [{ ...first, move: first.move + distance }, ...others];
}

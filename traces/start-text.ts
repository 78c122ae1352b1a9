/** The document's text before anyone types: the text that a trace ends with, or prose that nobody wrote. */
import * as prng from 'lib0/prng';
import { UserError } from '../results/user-error.ts';
import type { Trace } from './format.ts';
import { prose } from './prose.ts';

/** The same prose for every trial of every framework. */
const PROSE_SEED = 7;
/** Small enough for every editor, library and server to take at once. */
const PIECE_CHARACTERS = 10_000;

/**
 * @param options.trace      null: prose
 * @param options.characters how much of it, in UTF-16 units; null: all of the trace, of prose nothing
 * @throws UserError (2) if the trace is shorter
 */
export function startText({ trace, characters }: { trace: Trace | null; characters: number | null }): string {
  if (trace === null)
    return prose(prng.create(PROSE_SEED))
      .take(characters ?? 0)
      .toArray()
      .join('');
  // As every rich-text editor holds it.
  const text = trace.endContent.replaceAll('\r', '');
  if (characters === null) return text;
  if (characters > text.length) {
    const message = `The document cannot begin with ${characters} characters: its trace ends with ${text.length}. Write less in "start.characters".`;
    throw new UserError(message, { exitCode: 2 });
  }
  const cut = text.slice(0, characters);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Pieces that are pasted one after the other, none with half a character. */
export function* piecesOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    const piece = text.slice(from, from + PIECE_CHARACTERS);
    const whole = piece.isWellFormed() ? piece : piece.slice(0, -1);
    yield whole;
    from += whole.length;
  }
}

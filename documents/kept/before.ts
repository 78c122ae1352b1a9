/** The edits that a document holds before the users come who are followed. */
import { setTimeout } from 'node:timers/promises';
import { nowMs } from '../../infra/clock.ts';
import { UserError } from '../../results/user-error.ts';
import type { WriterCalls } from '../join/writers-main.ts';
import type { LiveServer } from '../live-server.ts';
import { readEdits } from '../replay/edits.ts';
import { PREPARE_LIMIT_MS, prepared } from '../trial-processes.ts';
import type { TypedEdit } from './ledger.ts';
import { withoutWords, wordsIn } from './words.ts';

const LOOK_PERIOD_MS = 100;

/**
 * Somebody makes the edits, and leaves.
 *
 * @param options.editsFile as `readEdits` reads it
 * @returns                 the document's text
 * @throws SubjectFailure if the server does not have all of them in time; UserError if the text has what users type later
 */
export async function writeBefore(
  { url, launch }: LiveServer,
  { framework, documentId, editsFile }: { framework: string; documentId: string; editsFile: string },
): Promise<string> {
  const { endContent } = await readEdits(editsFile);
  const [like] = wordsIn(endContent);
  if (like !== undefined) throw new UserError(`the trace has "${like}", as users type it here; take another trace`);
  const author = launch<WriterCalls>('join/writers-main.ts');
  await author.call('start', { framework, edits: editsFile, documents: { 0: { url, documentId } } });
  await prepared(author.call('fill', PREPARE_LIMIT_MS), 2 * PREPARE_LIMIT_MS);
  await author.call('leave');
  await author.end();
  return `${endContent}\n`;
}

/** `words`: all of them; `anyOf`: at least one, as a server has that has loaded what it holds. */
export interface AwaitedWords {
  words?: readonly string[];
  anyOf?: readonly string[];
}

/**
 * Words that a newcomer at the end waits for: those that the server had after the kill are not lost while it still loads them. If it had
 * shown none by then, its store may hold none, or be slow: then any that was typed tells.
 *
 * @param of.shown the text of the first newcomer
 */
export function awaitedWords(of: { before: string; shown: string; typed: readonly TypedEdit[] }): AwaitedWords {
  const { before, shown, typed } = of;
  const words = wordsIn(shown);
  return words.length > 0 || before !== '' ? { words } : { anyOf: typed.map(({ word }) => word) };
}

/**
 * Waits until a user's text holds that of before, which some servers load only after they have let the user in, and these words.
 *
 * @returns false if it does not, or not in time
 */
export async function untilWhole(
  read: () => Promise<string>,
  options: AwaitedWords & { before: string; limitMs: number; signal: AbortSignal },
): Promise<boolean> {
  const { before, words = [], anyOf = [], limitMs, signal } = options;
  if (before === '' && words.length === 0 && anyOf.length === 0) return true;
  for (const endMs = nowMs() + limitMs; ; await setTimeout(LOOK_PERIOD_MS, undefined, { signal })) {
    const text = await read();
    const isBeforeThere = before === '' || withoutWords(text) === before;
    const isAnyThere = anyOf.length === 0 || anyOf.some((word) => text.includes(word));
    if (isBeforeThere && isAnyThere && words.every((word) => text.includes(word))) return true;
    if (nowMs() > endMs) return false;
  }
}

/**
 * Messages of trials and of cells. Programs go by code and rank, which whoever makes a message sets; sentences are for people, and
 * are written here alone. Browser-safe.
 */
import type { DocumentCell } from '../../results/formats/documents.ts';
import type { Message, Reason, Verdict } from '../../results/formats/verdict.ts';
import { GAVE_OUT, type TrialMessage } from '../scenarios/cell.ts';

/** As every cell of a summary tells them: for programs, and as sentences. */
type Told = Pick<DocumentCell, 'reasons' | 'notes' | 'messages'>;

/** Codes of how a criterion is answered: a bound is missed, or it is not known if all are kept. */
export const CRITERION_CODES = {
  paper: { missed: 'not-fully-functional', unknown: 'functionality-not-judged' },
  smooth: { missed: 'not-smooth', unknown: 'smoothness-not-judged' },
} as const;

/** The code of a machine whose speed differed between a cell's trials. Such messages differ by their numbers alone. */
export const SPEEDS_DIFFER = 'speeds-differ';

/** Words before the text of messages with these codes. */
const HEADINGS: Readonly<Record<string, string>> = {
  [CRITERION_CODES.paper.missed]: 'not fully functional: ',
  [CRITERION_CODES.paper.unknown]: 'fully functional: not judged: ',
  [CRITERION_CODES.smooth.missed]: 'not smooth: ',
  [CRITERION_CODES.smooth.unknown]: 'smooth: not judged: ',
  [GAVE_OUT]: 'with more users gave out: ',
};
/** Codes of notes, though they decide an answer. */
const NOT_JUDGED: readonly string[] = [CRITERION_CODES.paper.unknown, CRITERION_CODES.smooth.unknown];

export function messagesOf({ reasons, notes }: Pick<Verdict, 'reasons' | 'notes'>): TrialMessage[] {
  const ranked = (rank: Message['rank'], of: readonly Reason[]) =>
    of.map(({ code, message }) => ({ code, rank, text: message }));
  return [...ranked('decides', reasons), ...ranked('care', notes)];
}

export function aboutCell(code: string, rank: Message['rank'], text: string): Message {
  return { code, rank, text, trials: [] };
}

/** True if it counts against a trial or a cell; else it is a note. */
export function isReason({ code, rank }: TrialMessage): boolean {
  return rank === 'decides' && !NOT_JUDGED.includes(code);
}

/** `trials 1 and 3: not smooth: …`. */
export function sentenceOf({ code, text, trials = [] }: TrialMessage & Partial<Message>): string {
  const numbers = new Intl.ListFormat('en').format(trials.map(String));
  const who = trials.length === 0 ? '' : `${trials.length === 1 ? 'trial' : 'trials'} ${numbers}: `;
  return who + (HEADINGS[code] ?? '') + text;
}

export function reasonsOf(messages: readonly TrialMessage[]): string[] {
  return messages.filter(isReason).map(sentenceOf);
}

export function notesOf(messages: readonly TrialMessage[]): string[] {
  return messages.filter((message) => !isReason(message)).map(sentenceOf);
}

export function tellMessages(messages: readonly Message[]): Told {
  return { reasons: reasonsOf(messages), notes: notesOf(messages), messages: reasonsFirst(messages) };
}

export function reasonsFirst(messages: readonly Message[]): Message[] {
  return [...messages.filter(isReason), ...messages.filter((message) => !isReason(message))];
}

/** The same message of several trials once, with their numbers. */
export function mergeTrials(trials: readonly { trial: number; messages: readonly TrialMessage[] }[]): Message[] {
  const all = trials.flatMap(({ trial, messages }) => messages.map((message) => ({ message, trial })));
  const groups = Map.groupBy(all, ({ message: { code, rank, text } }) => JSON.stringify([code, rank, text]));
  return [...groups.values()].map((same) => {
    return { ...same[0]!.message, trials: [...new Set(same.map(({ trial }) => trial))] };
  });
}

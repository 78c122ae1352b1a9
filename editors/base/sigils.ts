/**
 * Sigils: short unique texts that users type from time to time. That one shows on a screen is what latency is measured on.
 * A sigil is two base-36 digits of the user's number, "@", and two of the user's running count: the low one, and the high one
 * shifted by what the digits before it say: user 10's 123rd is `0a@fo`. So its last key may be any letter or digit. Text
 * behind the cursor hardly ever completes one too soon; a sigil there never does, in a user's first 36: its first is "0".
 */
import type Delta from 'quill-delta';
import type { Editor, Screen } from './editor.ts';

/** Two base-36 digits hold numbers below this. */
export const SIGIL_NUMBERS = 36 ** 2;
/** The length of a sigil, in UTF-16 units. */
export const SIGIL_LENGTH = 5;

/** Changes that users make to some sigils later; others must see them, too. */
const SIGIL_CHANGES = ['deleted', 'formatted'] as const;
export type SigilChange = (typeof SIGIL_CHANGES)[number];

/** A change completes, takes or formats a sigil with at most all of its other characters beside the change. */
export const SIGIL_REACH = SIGIL_LENGTH - 1;

const SIGIL = /^[0-9a-z]{2}@[0-9a-z]{2}$/;

export interface SigilNumbers {
  /** The user's number, and how many sigils this user typed before; both whole and in [0, 1296). */
  user: number;
  count: number;
}

/** @throws RangeError if `user` or `count` is no whole number that two base-36 digits can hold */
export function makeSigil(user: number, count: number): string {
  const [, low] = twoDigits(count, 'count');
  const last = (Math.floor(count / 36) + lastKeyShift(user, count % 36)) % 36;
  return `${twoDigits(user, 'user')}@${low}${last.toString(36)}`;
}

/** From 1 to 35, so that the last key of a user's first 36 sigils is never "0"; each value for one low digit or two. */
function lastKeyShift(user: number, low: number): number {
  return 1 + ((user * 11 + low * 8) % 35);
}

/** The numbers in a sigil, or null if `text` is none. */
export function parseSigil(text: string): SigilNumbers | null {
  if (!SIGIL.test(text)) return null;
  const user = Number.parseInt(text.slice(0, 2), 36);
  const low = Number.parseInt(text[3]!, 36);
  const high = (Number.parseInt(text[4]!, 36) - lastKeyShift(user, low) + 36) % 36;
  return { user, count: 36 * high + low };
}

/**
 * All sigils in a text, in its order, each as often as it occurs. What is left of one must not hide the next: of
 * `01@02@f3`, where user 1 has begun one or deletes it, both are told.
 */
export function findSigils(text: string): string[] {
  const found: string[] = [];
  // "@" is rare in prose, and looking for one character is far quicker than matching.
  for (let at = text.indexOf('@', 2); at !== -1; at = text.indexOf('@', at + 1)) {
    const around = text.slice(at - 2, at - 2 + SIGIL_LENGTH);
    if (SIGIL.test(around)) found.push(around);
  }
  return found;
}

/**
 * Reports each sigil that a frame newly shows, with the time of the frame. One that was on the screen before and was
 * only moved (its line split, joined or formatted) is not new; one that is shown a second time, in another place, is.
 *
 * @param onChanged gets each sigil that a frame no longer shows, and each of which it changed an inline format
 */
export function watchSigils(
  screen: Pick<Screen, 'onShown'>,
  onSigil: (sigil: string, shownMs: number) => void,
  onChanged?: (sigil: string, change: SigilChange, shownMs: number) => void,
): void {
  screen.onShown(({ before, after, formatted, atMs }) => {
    const known = before.flatMap(findSigils);
    for (const sigil of after.flatMap(findSigils)) {
      const at = known.indexOf(sigil);
      if (at === -1) onSigil(sigil, atMs);
      else known.splice(at, 1);
    }
    if (onChanged === undefined) return;
    for (const sigil of known) onChanged(sigil, 'deleted', atMs);
    for (const sigil of new Set(formatted.flatMap(findSigils))) onChanged(sigil, 'formatted', atMs);
  });
}

/** The text around each stretch whose formats a change set, which the editor has made; of the ends of lines, none. */
export function formattedTexts(editor: Pick<Editor, 'getText'>, { ops }: Delta): string[] {
  const texts: string[] = [];
  let index = 0;
  for (const { insert, retain, attributes } of ops) {
    const length = typeof insert === 'string' ? insert.length : Number(retain ?? 0);
    if (attributes !== undefined && insert === undefined) {
      const from = Math.max(0, index - SIGIL_REACH);
      texts.push(editor.getText(from, index + length + SIGIL_REACH - from));
    }
    index += length;
  }
  return texts;
}

function twoDigits(value: number, name: string): string {
  if (!Number.isInteger(value) || value < 0 || value >= SIGIL_NUMBERS) {
    throw new RangeError(`a sigil's ${name} is ${value}; it must be a whole number from 0 to ${SIGIL_NUMBERS - 1}`);
  }
  return value.toString(36).padStart(2, '0');
}

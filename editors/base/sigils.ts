/**
 * Sigils: short unique texts that users type from time to time. That one shows on a screen is what latency is measured on.
 * A sigil is two base-36 digits of the user's number, "@", and two of the user's running count, the low one first: user 10's
 * 123rd is `0a@f3`. So its last key may be any letter or digit, and nothing tells the keys of one from others before. Text
 * that stands behind the cursor may complete a sigil too soon; it then hardly ever reads as one of a count that occurs.
 */
import type { Screen } from './editor.ts';

/** Two base-36 digits hold numbers below this. */
export const SIGIL_NUMBERS = 36 ** 2;
/** The length of a sigil, in UTF-16 units. */
export const SIGIL_LENGTH = 5;

const SIGIL = /^[0-9a-z]{2}@[0-9a-z]{2}$/;
const SIGILS = /[0-9a-z]{2}@[0-9a-z]{2}/g;

export interface SigilNumbers {
  /** The user's number, and how many sigils this user typed before; both whole and in [0, 1296). */
  user: number;
  count: number;
}

/** @throws RangeError if `user` or `count` is no whole number that two base-36 digits can hold */
export function makeSigil(user: number, count: number): string {
  const [high, low] = twoDigits(count, 'count');
  return `${twoDigits(user, 'user')}@${low}${high}`;
}

/** The numbers in a sigil, or null if `text` is none. */
export function parseSigil(text: string): SigilNumbers | null {
  if (!SIGIL.test(text)) return null;
  return { user: Number.parseInt(text.slice(0, 2), 36), count: Number.parseInt(text[4]! + text[3]!, 36) };
}

/** All sigils in a text, in its order, each as often as it occurs. */
export function findSigils(text: string): string[] {
  // "@" is rare in prose, and looking for one character is far quicker than matching.
  return text.includes('@') ? (text.match(SIGILS) ?? []) : [];
}

/**
 * Reports each sigil that a frame newly shows, with the time of the frame. One that was on the screen before and was
 * only moved (its line split, joined or formatted) is not new; one that is shown a second time, in another place, is.
 */
export function watchSigils(screen: Pick<Screen, 'onShown'>, onSigil: (sigil: string, shownMs: number) => void): void {
  screen.onShown(({ before, after, atMs }) => {
    const shown = after.flatMap(findSigils);
    if (shown.length === 0) return;
    const known = before.flatMap(findSigils);
    for (const sigil of shown) {
      const at = known.indexOf(sigil);
      if (at === -1) onSigil(sigil, atMs);
      else known.splice(at, 1);
    }
  });
}

function twoDigits(value: number, name: string): string {
  if (!Number.isInteger(value) || value < 0 || value >= SIGIL_NUMBERS) {
    throw new RangeError(`a sigil's ${name} is ${value}; it must be a whole number from 0 to ${SIGIL_NUMBERS - 1}`);
  }
  return value.toString(36).padStart(2, '0');
}

/** The words that users type: no two are the same, so that each is found again once, twice or never. */

const WORDS = /\[\d+\.\d+\]/g;
/** A space follows each. */
const WORDS_TYPED = /\[\d+\.\d+\] /g;

/** @param user   its number; @param number of its words before */
export function wordOf(user: number, number: number): string {
  return `[${user}.${number}]`;
}

/** In their order. */
export function wordsIn(text: string): string[] {
  return text.match(WORDS) ?? [];
}

/** A text as it was before any word was typed into it. */
export function withoutWords(text: string): string {
  return text.replaceAll(WORDS_TYPED, '');
}

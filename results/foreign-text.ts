/** Text from a file, a worker or a failed process, on its way to a terminal, a log or a command that people copy. Browser-safe. */

/** Control characters but line ends and tabs, line separators, and marks that turn the direction of writing. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * The text as it can be printed: it moves no cursor, and no part of it is a command to GitHub Actions, which reads `::error` at
 * the start of a line, and `##[error]` anywhere. A line may be broken later, so no word starts with `::`.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function plainText(text: string): string {
  const seen = text.replace(UNSEEN, '\ufffd').replaceAll('##[', '# #[');
  return seen.replace(/(?<!\S)::+/g, (colons) => [...colons].join(' '));
}

/** A command that a POSIX shell splits into the same words again: each is quoted if it has to be. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

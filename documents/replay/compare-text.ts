/** Whether an engine holds the text that it must, and where it first does not. */
import { SubjectFailure } from '../scenario.ts';

/** Characters shown on each side of a difference. */
const CONTEXT = 20;

/**
 * @param whose  whose text it is, for the message
 * @throws SubjectFailure `wrong-content`
 */
export function requireText(seen: string, expected: string, whose: string): void {
  if (seen === expected) return;
  let place = 0;
  while (place < expected.length && seen[place] === expected[place]) place++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, place - CONTEXT), place + CONTEXT));
  throw new SubjectFailure(
    'wrong-content',
    `${whose} holds another text than was typed: first at character ${place}, expected ${around(expected)}, saw ${around(seen)} (${expected.length} characters expected, ${seen.length} seen)`,
  );
}

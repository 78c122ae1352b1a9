/** Each user's place in a trace: the same however many users there are, and far from the others'. */
import { UserError } from '../results/user-error.ts';
import type { Edit } from './edits.ts';

/**
 * By how much of an author's edits each further user begins later, cyclically: the golden ratio's fraction. Whatever their
 * number, n such starts lie apart almost as far as n can: no gap is wider than 1.9 times an equal share, nor narrower
 * than 0.4 times.
 *
 * @see Knuth, The Art of Computer Programming, vol. 3, section 6.4, exercise 8: the three-gap theorem
 */
const GOLDEN_STEP = (Math.sqrt(5) - 1) / 2;

/** How far from the beginning of something the `nth` of many begins, in [0, 1): however many there are, far from the others. */
export function goldenFraction(nth: number): number {
  return (nth * GOLDEN_STEP) % 1;
}

/** A user's beginning: at edit `start` of `author`. */
export interface Start {
  author: number;
  start: number;
}

export interface StretchOptions {
  /** As `editsOf` gives them. */
  authors: readonly (readonly Edit[])[];
  /** The user's number, from 0. */
  user: number;
}

/**
 * Users are dealt to the authors in turn; users of the same author begin at places of its edits that depend on the
 * user's number alone. So user 3 of 4 types what user 3 of 100 does, and cells of different user counts compare. With
 * fewer users than authors, the last authors' edits go unused.
 *
 * @throws UserError (2) if no author has edits
 * @throws RangeError if `user` is no user's number
 */
export function startOf({ authors, user }: StretchOptions): Start {
  if (!(Number.isInteger(user) && user >= 0)) throw new RangeError(`there is no user ${user}`);
  const busy = [...authors.keys()].filter((author) => authors[author]!.length > 0);
  if (busy.length === 0) throw new UserError('The trace has no edits to type. Choose another.');
  const author = busy[user % busy.length]!;
  const share = Math.floor(user / busy.length);
  return { author, start: Math.floor(goldenFraction(share) * authors[author]!.length) };
}

/**
 * The `count` edits that a user types: from the user's start on, and from the author's first edit again after the last.
 * If users type longer than their starts lie apart, one repeats another's beginning.
 *
 * @throws as `startOf`
 */
export function stretchFor({ count, ...options }: StretchOptions & { count: number }): Edit[] {
  const { author, start } = startOf(options);
  const edits = options.authors[author]!;
  return Array.from({ length: count }, (_, index) => edits[(start + index) % edits.length]!);
}

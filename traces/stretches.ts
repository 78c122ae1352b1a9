/** Which part of a trace each user replays: every user types something else, and all of it is used. */
import { UserError } from '../results/user-error.ts';
import type { Edit } from './edit.ts';

/** A user's own part of the edits of `author`: `length` edits from index `start` on. */
export interface Stretch {
  author: number;
  start: number;
  length: number;
}

export interface StretchOptions {
  /** As `editsOf` gives them. */
  authors: readonly (readonly Edit[])[];
  /** The user's number, from 0. */
  user: number;
  users: number;
}

/**
 * Users are dealt to the authors in turn; users of the same author share that author's edits in equal stretches.
 * With fewer users than authors, the last authors' edits go unused.
 *
 * @throws UserError (2) where no author has edits
 * @throws RangeError where `user` is not in [0, users)
 */
export function stretchOf({ authors, user, users }: StretchOptions): Stretch {
  if (!(user >= 0 && user < users)) throw new RangeError(`user ${user} is not within [0, ${users})`);
  const busy = [...authors.keys()].filter((author) => authors[author]!.length > 0);
  if (busy.length === 0) throw new UserError('The trace has no edits to type. Choose another.', { exitCode: 2 });
  const turn = user % busy.length;
  const author = busy[turn]!;
  const sharers = Math.ceil((users - turn) / busy.length);
  const share = Math.floor(user / busy.length);
  const boundary = (index: number) => Math.floor((index * authors[author]!.length) / sharers);
  return { author, start: boundary(share), length: boundary(share + 1) - boundary(share) };
}

/**
 * The `count` edits that a user types: from the start of the own stretch on, beyond its end where they do not suffice,
 * and from the author's first edit again after the last.
 *
 * @throws as `stretchOf`
 */
export function stretchFor({ count, ...options }: StretchOptions & { count: number }): Edit[] {
  const { author, start } = stretchOf(options);
  const edits = options.authors[author]!;
  return Array.from({ length: count }, (_, index) => edits[(start + index) % edits.length]!);
}

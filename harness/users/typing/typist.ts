/** The typist: what one user does next. Pure and seeded; the schedule says when, the driver how. */
import * as prng from 'lib0/prng';
import { BLOCK_FORMATS, INLINE_FORMATS } from '../../../editors/base/editor.ts';
import { makeSigil, SIGIL_LENGTH, SIGIL_NUMBERS } from '../../../editors/base/sigils.ts';
import type { Edit } from '../../../traces/edit.ts';
import type { Typing } from '../../experiment/experiment.ts';
import { createSigilGuard } from './sigil-guard.ts';

export type InlineFormat = (typeof INLINE_FORMATS)[number];

export type Action =
  | Edit
  /** Ctrl+B or Ctrl+I at the cursor. */
  | { kind: 'format-cursor'; format: InlineFormat }
  /** Ctrl+B or Ctrl+I with `length` units selected from `distance` away from the cursor, which then goes back. */
  | { kind: 'format-range'; format: InlineFormat; distance: number; length: number }
  /** A click on a block button of the toolbar: its place in `BLOCK_FORMATS`. */
  | { kind: 'format-block'; button: number }
  /** One key of a sigil; `last` completes it. */
  | { kind: 'sigil-key'; text: string; sigil: string; last: boolean };

/** How far from the cursor a formatted range may begin, and how long it may be: the paper's 1 to 50 characters, nearby. */
const RANGE_DISTANCE = 50;
const RANGE_LENGTH = 50;

export interface TypistOptions extends Pick<Typing, 'formatOdds'> {
  user: number;
  seed: number;
  edits: readonly Edit[];
  /** How far the driver goes, see editor-driver.ts: edits are cut to it. Absent: any distance. */
  longestMove?: number;
}

export interface Typist {
  /** The next action from the trace, or a format. */
  nextEdit(): Action;
  /** The keys of the next sigil. */
  nextSigil(): Action[];
}

/**
 * @param options.edits what this user replays, cyclically; at least one
 * @throws RangeError where there is nothing to replay
 */
export function createTypist(options: TypistOptions): Typist {
  const { user, edits, formatOdds, longestMove = Number.POSITIVE_INFINITY } = options;
  if (edits.length === 0) throw new RangeError(`user ${user} has no edits to replay`);
  // Each user draws its own sequence, which depends on nothing that happens in the trial. User numbers stay below the factor.
  const generator = prng.create(options.seed * SIGIL_NUMBERS + user);
  const random = () => prng.real53(generator);
  const guard = createSigilGuard(SIGIL_LENGTH);
  let position = 0;
  let sigils = 0;
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;

  return {
    nextEdit() {
      const draw = random();
      if (draw < formatOdds.inline) return { kind: 'format-cursor', format: pick(INLINE_FORMATS) };
      if (draw < formatOdds.inline + formatOdds.range) {
        return {
          kind: 'format-range',
          format: pick(INLINE_FORMATS),
          distance: Math.floor(random() * (2 * RANGE_DISTANCE + 1)) - RANGE_DISTANCE,
          length: 1 + Math.floor(random() * RANGE_LENGTH),
        };
      }
      if (draw < formatOdds.inline + formatOdds.range + formatOdds.block) {
        return { kind: 'format-block', button: Math.floor(random() * BLOCK_FORMATS.length) };
      }
      const edit = edits[position % edits.length]!;
      position++;
      // Cut first: the guard must know where the cursor really goes.
      return guard.around(cut(edit, longestMove));
    },
    nextSigil() {
      const sigil = makeSigil(user, sigils++);
      guard.sigilTyped();
      return [...sigil].map((text, index) => ({
        kind: 'sigil-key',
        text,
        sigil,
        last: index === SIGIL_LENGTH - 1,
      }));
    },
  };
}

/** The edit with a move, and a length of what it selects, of at most so many units. */
function cut(edit: Edit, longest: number): Edit {
  const move = Math.max(-longest, Math.min(longest, edit.move));
  return edit.kind === 'erase' ? { ...edit, move, length: Math.min(longest, edit.length) } : { ...edit, move };
}

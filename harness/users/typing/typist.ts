/** The typist: what one user does next. Pure and seeded; the schedule says when, the driver how. */
import * as prng from 'lib0/prng';
import { BLOCK_FORMATS, INLINE_FORMATS } from '../../../editors/base/editor.ts';
import { makeSigil, parseSigil, SIGIL_LENGTH, SIGIL_NUMBERS, type SigilChange } from '../../../editors/base/sigils.ts';
import type { Edit } from '../../../traces/edits.ts';
import type { Typing } from '../../experiment/experiment.ts';
import { asPeopleDo } from './people.ts';

export type InlineFormat = (typeof INLINE_FORMATS)[number];

export type Action =
  | Edit
  /** A text in the place of as many characters before the cursor, in one change. */
  | { kind: 'rewrite'; text: string }
  /** Ctrl+B or Ctrl+I at the cursor. */
  | { kind: 'format-cursor'; format: InlineFormat }
  /** Ctrl+B or Ctrl+I with `length` units selected from `distance` away from the cursor, which then goes back. */
  | { kind: 'format-range'; format: InlineFormat; distance: number; length: number }
  /** A click on a block button of the toolbar: its place in `BLOCK_FORMATS`. */
  | { kind: 'format-block'; button: number }
  /** One key of a sigil; `last` completes it. */
  | { kind: 'sigil-key'; text: string; sigil: string; last: boolean }
  /** An older sigil of the user's own, selected and then deleted, or made bold or italic. */
  | { kind: 'sigil-delete'; sigil: string }
  | { kind: 'sigil-format'; sigil: string; format: InlineFormat }
  /** The cursor goes so far, selects so much there, and then goes back to where it was. */
  | { kind: 'look'; distance: number; length: number }
  | { kind: 'look-back' };

/** How far from the cursor a formatted range may begin, and how long it may be: the paper's 1 to 50 characters, nearby. */
const RANGE_DISTANCE = 50;
const RANGE_LENGTH = 50;

/**
 * UTF-16 units that an action must put into the editor, and takes out of it at most; no binding of the editors' makes a
 * key do anything else.
 */
export function sizeOf(action: Action): { inserted: number; deleted: number } {
  return { inserted: textOf(action).length, deleted: deletedBy(action) };
}

function deletedBy(action: Action): number {
  switch (action.kind) {
    case 'rewrite':
      return action.text.length;
    case 'erase':
      return action.length;
    case 'sigil-delete':
      return SIGIL_LENGTH;
    case 'backspace':
    case 'delete':
      return 1;
    default:
      return 0;
  }
}

/** The record of an action that completes or changes a sigil; null: it does neither. */
export function sigilOf(
  action: Action,
): { type: 'sigil-sent'; sigil: string } | { type: 'sigil-changed'; sigil: string; change: SigilChange } | null {
  switch (action.kind) {
    case 'sigil-key':
      return action.last ? { type: 'sigil-sent', sigil: action.sigil } : null;
    case 'sigil-delete':
      return { type: 'sigil-changed', sigil: action.sigil, change: 'deleted' };
    case 'sigil-format':
      return { type: 'sigil-changed', sigil: action.sigil, change: 'formatted' };
    default:
      return null;
  }
}

/** The text that an action puts into the editor. */
export function textOf(action: Action): string {
  return 'text' in action ? action.text : '';
}

interface TypistOptions
  extends Pick<Typing, 'formatOdds'>,
    Partial<Pick<Typing, 'longestEdit' | 'rhythm' | 'changeSigils'>> {
  user: number;
  seed: number;
  edits: readonly Edit[];
  /** How far the driver goes, see editor-driver.ts: edits are cut to it. Absent: any distance. */
  longestMove?: number;
}

export interface Typist {
  /** The next action from the trace, or a format. @param after.followsPause true if the user paused before it */
  nextEdit(after?: { followsPause: boolean }): Action;
  /** The keys of the next sigil. */
  nextSigil(): Action[];
  /** The action that changes a sigil, once it is a period old; null: it stays as it is. */
  changeOf(sigil: string): Action | null;
}

/**
 * @param options.edits the edits that this user replays, cyclically; at least one
 * @throws RangeError if there is nothing to replay
 */
export function createTypist(options: TypistOptions): Typist {
  const { user, edits, formatOdds, longestEdit = null, longestMove = Number.POSITIVE_INFINITY, rhythm } = options;
  if (edits.length === 0) throw new RangeError(`user ${user} has no edits to replay`);
  // Each user draws its own sequence, which depends on nothing that happens in the trial. User numbers stay below the factor.
  const generator = prng.create(options.seed * SIGIL_NUMBERS + user);
  const random = () => prng.real53(generator);
  const guard = createSigilGuard();
  const hasFormats = Object.values(formatOdds).some((odds) => odds > 0);
  /** Those that were formatted; each stands for a range that is drawn later. */
  let formattedSigils = 0;
  let position = 0;
  let sigils = 0;
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;

  /** A format, if one is drawn. */
  const nextFormat = (): Action | null => {
    const draw = random();
    const { inline, range, block } = formatOdds;
    if (draw < inline) return { kind: 'format-cursor', format: pick(INLINE_FORMATS) };
    if (draw < inline + range) {
      if (formattedSigils > 0) {
        formattedSigils--;
        return null;
      }
      const distance = Math.floor(random() * (2 * RANGE_DISTANCE + 1)) - RANGE_DISTANCE;
      const length = 1 + Math.floor(random() * RANGE_LENGTH);
      return { kind: 'format-range', format: pick(INLINE_FORMATS), distance, length };
    }
    if (draw < inline + range + block) {
      return { kind: 'format-block', button: Math.floor(random() * BLOCK_FORMATS.length) };
    }
    return null;
  };

  return {
    nextEdit({ followsPause } = { followsPause: false }) {
      const format = nextFormat();
      if (format !== null) return format;
      const following = (places: number) => edits[(position + places) % edits.length]!;
      const { edit, taken } =
        rhythm === 'human'
          ? asPeopleDo(following(0), { followsPause, following, random })
          : { edit: following(0), taken: 1 };
      position += taken;
      // Cut first: the guard must know where the cursor really goes.
      return guard.around(cut(shortened(edit, longestEdit), longestMove));
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
    changeOf(sigil) {
      if (!options.changeSigils) return null;
      const { count } = parseSigil(sigil)!;
      // By turns, and not those of all users alike at once.
      const turn = (user + count) % 3;
      if (turn === 1) {
        if (count === sigils - 1) guard.sigilGone();
        return { kind: 'sigil-delete', sigil };
      }
      if (turn === 0 || !hasFormats) return null;
      formattedSigils++;
      return { kind: 'sigil-format', sigil, format: INLINE_FORMATS[count % INLINE_FORMATS.length]! };
    },
  };
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The edit with at most so many UTF-16 units pasted or deleted; null: as it is. A paste keeps its beginning, up to the last
 * whole character that fits, or one. Deletions are cut alike, or what deletes a long paste would take others' text.
 */
function shortened(edit: Edit, longest: number | null): Edit {
  if (longest === null) return edit;
  if (edit.kind === 'erase') return { ...edit, length: Math.min(longest, edit.length) };
  if (edit.kind !== 'paste' || edit.text.length <= longest) return edit;
  let end = 0;
  for (const { index, segment } of characters.segment(edit.text)) {
    if (index > 0 && index + segment.length > longest) break;
    end = index + segment.length;
  }
  return { ...edit, text: edit.text.slice(0, end) };
}

/** The edit with a move, and a length of what it selects, of at most so many units. */
function cut(edit: Edit, longest: number): Edit {
  const move = Math.max(-longest, Math.min(longest, edit.move));
  return edit.kind === 'erase' ? { ...edit, move, length: Math.min(longest, edit.length) } : { ...edit, move };
}

/**
 * Keeps a user's own edits off the sigil that it typed last. A trace knows nothing of sigils: its next Backspace would
 * eat the sigil before the others could see it, and that would count as the framework's loss. The others' edits may
 * still break a sigil; the analysis filters those.
 */
export function createSigilGuard() {
  /** Where the sigil begins, in UTF-16 units from the cursor; null before the first one. */
  let start: number | null = null;
  /** More than one sigil's if others were typed right before it: they are as new. */
  let length = 0;

  return {
    /** A sigil was typed at the cursor, which now stands right after it. */
    sigilTyped(): void {
      length = start === -length ? length + SIGIL_LENGTH : SIGIL_LENGTH;
      start = -length;
    },
    /** It was deleted. */
    sigilGone(): void {
      start = null;
    },
    /** The edit, its move or length changed if it would have touched the sigil. */
    around(edit: Edit): Edit {
      if (start === null) return edit;
      let move = edit.move;
      start -= move;
      /** The cursor goes on, as if the sigil had no width. */
      const jump = (distance: number) => {
        move += distance;
        start! -= distance;
      };
      // A cursor that would land inside goes on to the end that it was heading for.
      if (start < 0 && start > -length) jump(edit.move > 0 ? start + length : start);

      switch (edit.kind) {
        case 'key':
        case 'paste':
          // Text before the sigil pushes cursor and sigil alike; text behind it takes the cursor away.
          if (start < 0) start -= edit.text.length;
          return { ...edit, move };
        case 'backspace':
          if (start === -length) jump(-length);
          else if (start < 0) start += 1;
          return { ...edit, move };
        case 'delete':
          if (start === 0) jump(length);
          else if (start > 0) start -= 1;
          return { ...edit, move };
        case 'erase': {
          if (start === 0) jump(length);
          const erased = start > 0 ? Math.min(edit.length, start) : edit.length;
          if (start > 0) start -= erased;
          return { ...edit, move, length: erased };
        }
      }
    },
  };
}

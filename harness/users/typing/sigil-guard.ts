/**
 * Keeps a user's own edits off the sigil that it typed last. A trace knows nothing of sigils: its next Backspace would
 * eat the sigil before the others could see it, and that would count as the framework's loss. The others' edits may
 * still break a sigil; the analysis filters those.
 */
import type { Edit } from '../../../traces/edit.ts';

export interface SigilGuard {
  /** A sigil was typed at the cursor, which now stands right after it. */
  sigilTyped(): void;
  /** The edit, its move or length changed if it would have touched the sigil. */
  around(edit: Edit): Edit;
}

export function createSigilGuard(sigilLength: number): SigilGuard {
  /** Where the sigil begins, in UTF-16 units from the cursor; null before the first one. */
  let start: number | null = null;

  return {
    sigilTyped() {
      start = -sigilLength;
    },
    around(edit) {
      if (start === null) return edit;
      let move = edit.move;
      start -= move;
      /** The cursor goes on, as if the sigil had no width. */
      const jump = (distance: number) => {
        move += distance;
        start! -= distance;
      };
      // A cursor that would land inside goes on to the end that it was heading for.
      if (start < 0 && start > -sigilLength) jump(edit.move > 0 ? start + sigilLength : start);

      switch (edit.kind) {
        case 'key':
        case 'paste':
          // Text before the sigil pushes cursor and sigil alike; text behind it takes the cursor away.
          if (start < 0) start -= edit.text.length;
          return { ...edit, move };
        case 'backspace':
          if (start === -sigilLength) jump(-sigilLength);
          else if (start < 0) start += 1;
          return { ...edit, move };
        case 'delete':
          if (start === 0) jump(sigilLength);
          else if (start > 0) start -= 1;
          return { ...edit, move };
        case 'erase': {
          if (start === 0) jump(sigilLength);
          const length = start > 0 ? Math.min(edit.length, start) : edit.length;
          if (start > 0) start -= length;
          return { ...edit, move, length };
        }
      }
    },
  };
}

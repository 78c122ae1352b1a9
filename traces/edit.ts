/** An edit that a person could do in one go, as the import makes them from a trace's patches. */

export type Edit =
  /** A key that writes `text`: one user-perceived character, "\n" for Enter, "\t" for Tab. */
  | { kind: 'key'; move: number; text: string }
  /** A longer text that arrives at once, from the clipboard. */
  | { kind: 'paste'; move: number; text: string }
  /** Backspace takes the character before the cursor, Delete the one after it. */
  | { kind: 'backspace'; move: number }
  | { kind: 'delete'; move: number }
  /** `length` UTF-16 units from the cursor on are selected, then Backspace. */
  | { kind: 'erase'; move: number; length: number };

/**
 * `move` (in every edit) is how far the cursor jumps before the edit, in UTF-16 units from where the same author's edit
 * before left it; 0 where typing simply goes on. It is relative, because in a shared document absolute positions shift.
 */
export type Move = Edit['move'];

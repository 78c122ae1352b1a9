/**
 * An edit that a person could do in one go, as the import makes them from a trace's patches.
 *
 * `move` is how far the cursor jumps before the edit, in UTF-16 units from where the same author's edit before left it;
 * 0 if typing simply goes on. It is relative, because in a shared document absolute positions shift.
 */
export type Edit =
  /** A key that writes `text`: one user-perceived character of at most 4 UTF-16 units, "\n" for Enter, "\t" for Tab. */
  | { kind: 'key'; move: number; text: string }
  /** A text that arrives at once, from the clipboard: a longer one, or a character too long for a key. */
  | { kind: 'paste'; move: number; text: string }
  /** Backspace takes the character before the cursor, Delete the one after it: always one whole UTF-16 unit. */
  | { kind: 'backspace'; move: number }
  | { kind: 'delete'; move: number }
  /** `length` UTF-16 units from the cursor on are selected, then Backspace; the cursor ends where they began. */
  | { kind: 'erase'; move: number; length: number };

/** How an action is carried out at an editor in Chrome: by which keys, in which order. What differs is told by the editor. */
import type { Action } from '../typing/typist.ts';
import { type KeyPress, keyPress, SHORTCUT_LETTERS, shortcut } from './keys.ts';

/** What an editor takes besides plain keys. */
export interface EditorInPage {
  press(key: KeyPress): Promise<void>;
  /** Moves the cursor by so many UTF-16 units; 0 costs nothing. */
  move(distance: number): Promise<void>;
  /** Moves the cursor, and selects from there on. */
  select(distance: number, length: number): Promise<void>;
  /** Undoes `select` with that distance. */
  unselect(distance: number): Promise<void>;
  paste(text: string): Promise<void>;
  /** Gives the cursor's line the format with this place in `BLOCK_FORMATS`. */
  formatBlock(button: number): Promise<void>;
}

/** Resolves when Chrome acknowledged the last key: its handlers ran. */
export async function performInPage(editor: EditorInPage, action: Action): Promise<void> {
  switch (action.kind) {
    case 'key':
      await editor.move(action.move);
      return editor.press(keyPress(action.text));
    case 'backspace':
    case 'delete':
      await editor.move(action.move);
      return editor.press(keyPress(action.kind));
    case 'paste':
      await editor.move(action.move);
      return editor.paste(action.text);
    case 'erase':
      await editor.select(action.move, action.length);
      return editor.press(keyPress('backspace'));
    case 'format-cursor':
      return editor.press(shortcut(SHORTCUT_LETTERS[action.format]));
    case 'format-range':
      await editor.select(action.distance, action.length);
      await editor.press(shortcut(SHORTCUT_LETTERS[action.format]));
      return editor.unselect(action.distance);
    case 'format-block':
      return editor.formatBlock(action.button);
    case 'sigil-key':
      return editor.press(keyPress(action.text));
  }
}

/** The gestures of each action, in order. The gestures themselves are the editor's own. */
import type { Action, InlineFormat } from './typist.ts';

/** A key by the character that it types, or by what it does. */
export type Key = string | 'backspace' | 'delete';

/** The gestures that an editor accepts; `Done` is a promise if an acknowledgement must be awaited. */
export interface Gestures<Done> {
  press(key: Key): Done;
  /** By the format's shortcut. */
  format(format: InlineFormat): Done;
  /** Moves the cursor by so many UTF-16 units; 0 costs nothing. */
  move(distance: number): Done;
  /** Moves the cursor, and selects from there on. */
  select(distance: number, length: number): Done;
  /** Undoes `select` with that distance. */
  unselect(distance: number): Done;
  paste(text: string): Done;
  /** Gives the cursor's line the format with this place in `BLOCK_FORMATS`. */
  formatBlock(button: number): Done;
}

/** Performs an action at an editor in another process. Resolves when that acknowledged the last gesture. */
export async function performThere(editor: Gestures<Promise<void>>, action: Action): Promise<void> {
  for (const step of stepsOf(editor, action)) await step();
}

/** Performs an action at an editor in this process. @throws what a framework's binding throws, within the editor's own event */
export function performHere(editor: Gestures<void>, action: Action): void {
  for (const step of stepsOf(editor, action)) step();
}

function stepsOf<Done>(editor: Gestures<Done>, action: Action): (() => Done)[] {
  switch (action.kind) {
    case 'key':
      return [() => editor.move(action.move), () => editor.press(action.text)];
    case 'backspace':
    case 'delete':
      return [() => editor.move(action.move), () => editor.press(action.kind)];
    case 'paste':
      return [() => editor.move(action.move), () => editor.paste(action.text)];
    case 'erase':
      return [() => editor.select(action.move, action.length), () => editor.press('backspace')];
    case 'format-cursor':
      return [() => editor.format(action.format)];
    case 'format-range':
      return [
        () => editor.select(action.distance, action.length),
        () => editor.format(action.format),
        () => editor.unselect(action.distance),
      ];
    case 'format-block':
      return [() => editor.formatBlock(action.button)];
    case 'sigil-key':
      return [() => editor.press(action.text)];
  }
}

/** The gestures of each action, in order. The gestures themselves are the editor's own. */
import type { SigilChange } from '../../../editors/base/sigils.ts';
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
  /** Undoes `select` with that distance: the cursor goes back to where it was. */
  unselect(distance: number): Done;
  /** Selects a sigil of the user's own; false: it is not whole any more, and nothing more is done. */
  selectSigil(sigil: string): Done;
  /** The cursor goes back to where it was before. */
  leaveSigil(change: SigilChange): Done;
  paste(text: string): Done;
  /** The cursor goes elsewhere for a while; absent: nobody sees it. */
  look?(distance: number, length: number): Done;
  lookBack?(): Done;
  /** Gives the cursor's line the format with this place in `BLOCK_FORMATS`. */
  formatBlock(button: number): Done;
}

/** Performs an action at an editor in another process. Resolves when that acknowledged the last gesture; false: nothing was to do. */
export async function performThere(editor: Gestures<Promise<unknown>>, action: Action): Promise<boolean> {
  for (const step of stepsOf(editor, action)) if ((await step()) === false) return false;
  return true;
}

/** Performs an action at an editor in this process. @throws what a framework's binding throws, within the editor's own event */
export function performHere(editor: Gestures<unknown>, action: Action): boolean {
  return stepsOf(editor, action).every((step) => step() !== false);
}

function stepsOf<Done>(editor: Gestures<Done>, action: Action): (() => Done | undefined)[] {
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
    case 'rewrite':
      return [() => editor.select(-action.text.length, action.text.length), () => editor.paste(action.text)];
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
    case 'look':
      return [() => editor.look?.(action.distance, action.length)];
    case 'look-back':
      return [() => editor.lookBack?.()];
    case 'sigil-key':
      return [() => editor.press(action.text)];
    case 'sigil-delete':
      return [
        () => editor.selectSigil(action.sigil),
        () => editor.press('backspace'),
        () => editor.leaveSigil('deleted'),
      ];
    case 'sigil-format':
      return [
        () => editor.selectSigil(action.sigil),
        () => editor.format(action.format),
        () => editor.leaveSigil('formatted'),
      ];
  }
}

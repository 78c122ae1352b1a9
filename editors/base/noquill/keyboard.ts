/** Real key, paste and mouse events in Chrome, turned into NoQuill's changes. */
import { pasteText, pressBackspace, pressDelete, pressEnter, pressTab, toggleFormat, typeText } from './keys.ts';
import type { NoQuill } from './noquill.ts';

const KEYS: Record<string, (editor: NoQuill) => void> = {
  Enter: pressEnter,
  Backspace: pressBackspace,
  Delete: pressDelete,
  Tab: pressTab,
};
const SHORTCUTS: Record<string, string> = { b: 'bold', i: 'italic' };

/**
 * Lets `element` type into the editor. The element is editable, so that Chrome sends it all kinds of input, but nothing
 * is ever put into it.
 */
export function attachKeyboard(element: HTMLElement, editor: NoQuill): void {
  element.addEventListener('keydown', (event) => {
    if (!event.isComposing && press(editor, event)) event.preventDefault();
  });
  // Input without a key: from an input method or the DevTools protocol, or dropped.
  element.addEventListener('beforeinput', (event) => {
    event.preventDefault();
    const text = event.data ?? event.dataTransfer?.getData('text/plain');
    if (text && event.inputType.startsWith('insert')) insertLines(editor, text);
  });
  element.addEventListener('paste', (event) => {
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain');
    if (text) pasteText(editor, text);
  });
}

/** Lets a toolbar's button set and take away the format that its class name and value say, as `ql-header` and `2`. */
export function attachButton(button: HTMLButtonElement, editor: NoQuill, element: HTMLElement): void {
  const name = button.className.slice('ql-'.length);
  button.addEventListener('click', () => {
    element.focus();
    toggleFormat(editor, name, button.value || true);
  });
}

/** False if the key means nothing here. */
function press(editor: NoQuill, event: KeyboardEvent): boolean {
  const { key, altKey } = event;
  if (event.ctrlKey || event.metaKey) {
    const format = SHORTCUTS[key.toLowerCase()];
    if (format === undefined || altKey || event.shiftKey) return false;
    toggleFormat(editor, format);
    return true;
  }
  const action = KEYS[key];
  if (action !== undefined) action(editor);
  // The names of all other keys are longer than a character.
  else if ([...key].length === 1) typeText(editor, key);
  else return false;
  return true;
}

function insertLines(editor: NoQuill, text: string): void {
  for (const [line, piece] of text.split('\n').entries()) {
    if (line > 0) pressEnter(editor);
    if (piece !== '') typeText(editor, piece);
  }
}

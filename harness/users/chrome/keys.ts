/** Keys as Chrome's DevTools protocol wants them. */
import type { Protocol } from 'puppeteer-core';
import type { Gestures } from '../typing/perform.ts';
import type { InlineFormat } from '../typing/typist.ts';

type KeyEvent = Protocol.Input.DispatchKeyEventRequest;
/** A key: what is dispatched when it goes down and when it comes up. */
export interface KeyPress {
  down: KeyEvent;
  up: KeyEvent;
}

/** The modifier of shortcuts: Command on macOS (4), Control elsewhere (2). */
const SHORTCUT_MODIFIER = process.platform === 'darwin' ? 4 : 2;
/** Modifiers beside it, as the protocol numbers them; they add up. */
export const ALT = 1;
export const SHIFT = 8;

/** With Ctrl, in Quill as in Google Docs. */
const SHORTCUT_LETTERS: Record<InlineFormat, string> = { bold: 'b', italic: 'i' };

interface NamedKey {
  key: string;
  windowsVirtualKeyCode: number;
  text?: string;
}
const NAMED_KEYS: Record<string, NamedKey> = {
  '\n': { key: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  '\t': { key: 'Tab', windowsVirtualKeyCode: 9 },
  backspace: { key: 'Backspace', windowsVirtualKeyCode: 8 },
  delete: { key: 'Delete', windowsVirtualKeyCode: 46 },
};

/** The key that writes this character, or does what the name says: `backspace`, `delete`. */
export function keyPress(name: string): KeyPress {
  const named = NAMED_KEYS[name];
  if (named === undefined) return pressOf({ key: name, ...physicalKey(name) }, name);
  const { text, ...key } = named;
  return pressOf({ ...key, code: key.key }, text);
}

/** An arrow key; with Shift, it selects. */
export function arrowKey(direction: 'left' | 'right', options: { selects: boolean } = { selects: false }): KeyPress {
  const key = direction === 'left' ? 'ArrowLeft' : 'ArrowRight';
  const windowsVirtualKeyCode = direction === 'left' ? 37 : 39;
  return pressOf({ key, code: key, windowsVirtualKeyCode, ...(options.selects ? { modifiers: SHIFT } : {}) });
}

/**
 * Ctrl (or Command) with a letter or digit.
 *
 * @param also `ALT`, `SHIFT`, their sum, or 0
 */
export function shortcut(character: string, also = 0): KeyPress {
  return pressOf({ key: character, modifiers: SHORTCUT_MODIFIER + also, ...physicalKey(character) });
}

/** @param text the text that it writes; absent: none */
function pressOf(key: Omit<KeyEvent, 'type'>, text?: string): KeyPress {
  const down: KeyEvent =
    text === undefined ? { type: 'rawKeyDown', ...key } : { type: 'keyDown', ...key, text, unmodifiedText: text };
  return { down, up: { type: 'keyUp', ...key } };
}

/** The keys of an editor in Chrome, pressed by `press`. */
export function keyGestures(
  press: (key: KeyPress) => Promise<void>,
): Pick<Gestures<Promise<void>>, 'press' | 'format'> {
  return {
    press: (key) => press(keyPress(key)),
    format: (format) => press(shortcut(SHORTCUT_LETTERS[format])),
  };
}

/** Letters and digits have a place on the keyboard; for others Chrome goes by the text. */
function physicalKey(character: string): { code?: string; windowsVirtualKeyCode?: number } {
  const upper = character.toUpperCase();
  if (/^[A-Z]$/.test(upper)) return { code: `Key${upper}`, windowsVirtualKeyCode: upper.charCodeAt(0) };
  if (/^[0-9]$/.test(upper)) return { code: `Digit${upper}`, windowsVirtualKeyCode: upper.charCodeAt(0) };
  return {};
}

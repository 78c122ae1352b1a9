/**
 * Effects of a user's keys and toolbar on NoQuill: the same changes, in the same order, as Quill makes of real key events in
 * Chrome. The DOM events are in keyboard.ts; a user without a browser calls these functions.
 */
import Delta, { AttributeMap } from 'quill-delta';
import { type Formats, isBlockFormat } from '../editor.ts';
import type { NoQuill } from './noquill.ts';

/** Longer clusters than this many UTF-16 units (family emoji reach 25) are not looked for. */
const MAX_GRAPHEME_LENGTH = 32;
const graphemes = new Intl.Segmenter();
/** Clusters that Backspace takes as one in Chrome; of other clusters it takes the last code point. */
const TAKEN_WHOLE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3|\ufe0f/u;

/** Types a text without line breaks: over the selection, or at the cursor with the formats chosen or found there. */
export function typeText(editor: NoQuill, text: string): void {
  const { index, length } = editor.focus();
  const formats = editor.getFormat(index, Math.min(length, 1));
  if (length > 0) deleteSelection(editor);
  editor.updateContents(new Delta().retain(index).insert(text, formats), 'user');
  editor.setSelection(index + text.length, 0, 'silent');
}

/** Tab, over the selection: without the formats that typed text would have there. */
export function pressTab(editor: NoQuill): void {
  const { index, length } = editor.focus();
  editor.updateContents(new Delta().retain(index).insert('\t').delete(length), 'user');
  editor.setSelection(index + 1, 0, 'silent');
}

/** Enter: the new line has the block formats of the old one; but what follows a header's end is no header. */
export function pressEnter(editor: NoQuill): void {
  const { index, length } = editor.focus();
  const formats = blockFormats(editor.getFormat(index, length));
  const delta = new Delta().retain(index).insert('\n', formats).delete(length);
  if (length === 0 && formats.header !== undefined && isAtTextEnd(editor, index)) {
    delta.retain(editor.getLine(index).end - index).retain(1, { header: null });
  }
  editor.updateContents(delta, 'user');
  editor.setSelection(index + 1, 0, 'silent');
}

/** Backspace: takes the selection, the character before the cursor, or the line break: then the upper line's format stays. */
export function pressBackspace(editor: NoQuill): void {
  const { index, length } = editor.focus();
  if (length > 0) {
    deleteSelection(editor);
    return;
  }
  if (index === 0) return;
  const { start, end } = editor.getLine(index);
  if (index > start) {
    const from = Math.max(start, index - MAX_GRAPHEME_LENGTH);
    const taken = lastCharacter(editor.getText(from, index - from)).length;
    editor.updateContents(new Delta().retain(index - taken).delete(taken), 'user');
    return;
  }
  const upper = editor.getLine(index - 1);
  const upperFormats = blockFormats(editor.getFormat(index - 1));
  const isUpperBlank = upper.start === upper.end && Object.keys(upperFormats).length === 0;
  const formats = isUpperBlank ? undefined : AttributeMap.diff(blockFormats(editor.getFormat(index)), upperFormats);
  const delta = new Delta().retain(index - 1).delete(1);
  if (formats !== undefined) delta.retain(end - index).retain(1, formats);
  editor.updateContents(delta, 'user');
}

/** Delete: takes the selection, or the character after the cursor; over a line break, the lower line's format stays. */
export function pressDelete(editor: NoQuill): void {
  const { index, length } = editor.focus();
  if (length > 0) {
    deleteSelection(editor);
    return;
  }
  if (index >= editor.getLength() - 1) return;
  const { end } = editor.getLine(index);
  const taken = index === end ? 1 : firstCharacter(editor.getText(index, Math.min(end - index, MAX_GRAPHEME_LENGTH)));
  editor.updateContents(new Delta().retain(index).delete(taken), 'user');
}

/** Ctrl+B and the like, or the toolbar's button: sets a format, or takes it away if the selection has it. */
export function toggleFormat(editor: NoQuill, name: string, value: unknown = true): void {
  const { index, length } = editor.focus();
  const current = editor.getFormat(index, length)[name];
  const isOn = value === true ? Boolean(current) : current !== undefined && String(current) === String(value);
  editor.format(name, isOn ? false : value, 'user');
}

/** Pastes plain text over the selection, with the formats at its start. */
export function pasteText(editor: NoQuill, text: string): void {
  const { index, length } = editor.focus();
  const delta = new Delta().retain(index).insert(text, editor.getFormat(index)).delete(length);
  editor.updateContents(delta, 'user');
  editor.setSelection(index + text.length, 0, 'silent');
}

/** Where the selection spans lines, what is left has the format of the first. */
function deleteSelection(editor: NoQuill): void {
  const { index, length } = editor.focus();
  const last = editor.getLine(index + length - 1);
  const isOneLine = last.start <= index;
  const formats = isOneLine
    ? undefined
    : AttributeMap.diff(blockFormats(editor.getFormat(last.start)), blockFormats(editor.getFormat(index)));
  editor.deleteText(index, length, 'user');
  if (formats !== undefined) editor.formatLine(index, 1, formats, 'user');
  editor.setSelection(index, 0, 'silent');
}

function blockFormats(formats: Formats): Formats {
  const isUsable = ([name, value]: [string, unknown]) => isBlockFormat(name) && !Array.isArray(value);
  return Object.fromEntries(Object.entries(formats).filter(isUsable));
}

/** Quill looks at the rest of the text node only, which ends where the formats change or where new ones were chosen. */
function isAtTextEnd(editor: NoQuill, index: number): boolean {
  const { start, end } = editor.getLine(index);
  if (index === end || editor.hasPendingFormats()) return true;
  const formats = editor.getFormat(index);
  return index > start && AttributeMap.diff(formats, editor.getFormat(index, 1)) !== undefined;
}

function lastCharacter(text: string): string {
  const cluster = [...graphemes.segment(text)].at(-1)?.segment ?? '';
  return TAKEN_WHOLE.test(cluster) ? cluster : ([...cluster].at(-1) ?? '');
}

function firstCharacter(text: string): number {
  return graphemes.segment(text)[Symbol.iterator]().next().value?.segment.length ?? 0;
}

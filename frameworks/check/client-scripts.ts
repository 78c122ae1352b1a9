/** What clients are told to do with their editors. Each runs in the page, and sees nothing but its arguments. */
import type { Editor } from '../../editors/base/editor.ts';

export interface FormatArguments {
  index: number;
  length: number;
  formats: Record<string, unknown>;
}

export function insert(editor: Editor, { index, text }: { index: number; text: string }): void {
  editor.insertText(index, text, 'user');
}

export function insertAtEnd(editor: Editor, text: string): void {
  editor.insertText(editor.getLength() - 1, text, 'user');
}

export function remove(editor: Editor, { index, length }: { index: number; length: number }): void {
  editor.deleteText(index, length, 'user');
}

export function removeAll(editor: Editor): void {
  editor.deleteText(0, editor.getLength() - 1, 'user');
}

export function format(editor: Editor, { index, length, formats }: FormatArguments): void {
  editor.formatText(index, length, formats, 'user');
}

export function formatLine(editor: Editor, { index, length, formats }: FormatArguments): void {
  editor.formatLine(index, length, formats, 'user');
}

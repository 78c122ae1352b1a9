/** Random edits of one user, drawn beforehand from a seed, and what types them in the page. */
import * as prng from 'lib0/prng';
import { type Editor, INLINE_FORMATS } from '../../editors/base/editor.ts';

/** `place` is a share of the document's length, which nobody knows beforehand. */
export interface RandomEdit {
  waitMs: number;
  place: number;
  kind: 'insert' | 'delete' | 'format' | 'format-line';
  text: string;
  length: number;
  formats: Record<string, unknown>;
}

const LONGEST_WAIT_MS = 8;
const LONGEST_RANGE = 12;
const TEXTS = ['a', 'word ', '\n', '👍', 'e\u0301', 'שלום', 'two\nlines', '🎉🎉'];

/**
 * Lines get headers only, and no two emoji begin alike: those cases are properties of their own, and a framework that fails
 * them should still be tested with the rest.
 */
export function randomEdits(generator: prng.PRNG, count: number): RandomEdit[] {
  return Array.from({ length: count }, () => ({
    waitMs: prng.int32(generator, 0, LONGEST_WAIT_MS),
    place: prng.real53(generator),
    kind: prng.oneOf(generator, ['insert', 'insert', 'insert', 'delete', 'delete', 'format', 'format-line'] as const),
    text: prng.oneOf(generator, TEXTS),
    length: prng.int32(generator, 1, LONGEST_RANGE),
    formats: {},
  })).map((edit) => {
    if (edit.kind === 'format') edit.formats = { [prng.oneOf(generator, [...INLINE_FORMATS])]: prng.bool(generator) };
    if (edit.kind === 'format-line') edit.formats = { header: prng.oneOf(generator, [1, 2, false]) };
    return edit;
  });
}

/** Runs in the page. @returns how many characters were inserted and deleted, as the editor counted them */
export async function typeAtRandom(
  editor: Editor,
  edits: RandomEdit[],
): Promise<{ inserted: number; deleted: number }> {
  const done = { inserted: 0, deleted: 0 };
  // A cursor never stands within a character.
  const whole = (index: number) => (/^[\uDC00-\uDFFF]/.test(editor.getText(index, 1)) ? index - 1 : index);
  for (const { waitMs, place, kind, text, length, formats } of edits) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const end = editor.getLength() - 1;
    const from = whole(Math.floor(place * end));
    const to = whole(Math.min(from + length, end));
    const before = editor.getLength();
    if (kind === 'insert') editor.insertText(from, text, 'user');
    else if (kind === 'delete') editor.deleteText(from, to - from, 'user');
    else if (kind === 'format') editor.formatText(from, to - from, formats, 'user');
    else editor.formatLine(from, 1, formats, 'user');
    const growth = editor.getLength() - before;
    if (growth > 0) done.inserted += growth;
    else done.deleted -= growth;
  }
  return done;
}

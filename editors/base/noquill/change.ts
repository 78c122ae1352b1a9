/** Applies a delta to a document, and says what it changed: what Quill would show after the same delta. */
import Delta, { AttributeMap, type Op } from 'quill-delta';
import type { Formats } from '../editor.ts';
import { type Attributes, formatBlock, formatInline, PLAIN } from './formats.ts';
import { changeRuns, characterAt, insert, lengthOf, type Runs, remove } from './runs.ts';

export interface Changed {
  runs: Runs;
  /** The effective change: within the document's bounds, without formats that do nothing; no ops if nothing changed. */
  change: Delta;
}

/**
 * Costs O(log n) for each op, and O(length) for text that it inserts or formats. As in Quill, an inserted text has
 * exactly the formats that its op names, and the document ends with "\n" in the end, whatever the delta says.
 *
 * @throws TypeError if the delta inserts anything but text
 */
export function applyDelta(document: Runs, delta: Delta): Changed {
  let runs = document;
  let index = 0;
  let endDeleted = false;
  const change = new Delta();
  for (const op of delta.ops) {
    if (op.insert !== undefined) {
      if (typeof op.insert !== 'string') {
        throw new TypeError(`NoQuill holds text only, and the delta inserts ${JSON.stringify(op.insert)}`);
      }
      for (const { text, attributes } of pieces(normalizeNewlines(op.insert), op.attributes)) {
        runs = insert(runs, index, text, attributes);
        index += text.length;
        append(change, attributes === PLAIN ? { insert: text } : { insert: text, attributes: { ...attributes } });
      }
      continue;
    }
    const left = lengthOf(runs) - index;
    if (op.delete !== undefined) {
      const length = Math.min(op.delete, left);
      runs = remove(runs, index, index + length);
      endDeleted ||= length > 0 && length === left;
      if (length > 0) append(change, { delete: length });
    } else if (typeof op.retain === 'number') {
      const length = Math.min(op.retain, left);
      if (op.attributes) runs = formatRuns(runs, index, index + length, op.attributes, change);
      else if (length > 0) append(change, { retain: length });
      index += length;
    }
  }
  if (characterAt(runs, lengthOf(runs) - 1)?.character !== '\n') {
    // The last line outlives the loss of its "\n", unless nothing else is left either.
    const last = endDeleted && runs !== null ? characterAt(document, lengthOf(document) - 1) : null;
    const attributes = last?.attributes ?? PLAIN;
    runs = insert(runs, lengthOf(runs), '\n', attributes);
    change.insert('\n', { ...attributes });
  }
  return { runs, change: change.chop() };
}

/** As `change.push`, but without its deep copy if there is nothing to merge, as is the rule. */
function append(change: Delta, op: Op): void {
  const last = change.ops.at(-1);
  const kind = op.insert === undefined ? (op.delete === undefined ? 'retain' : 'delete') : 'insert';
  // Delta puts what is inserted before what is deleted there.
  if (last?.[kind] !== undefined || (last?.delete !== undefined && kind === 'insert')) change.push(op);
  else change.ops.push(op);
}

/** As Quill does with each text that is put into it. */
export function normalizeNewlines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Lines and the "\n" between them, each with those of the formats that apply to it. */
function pieces(text: string, formats: Formats | undefined): { text: string; attributes: Attributes }[] {
  if (formats === undefined) return [{ text, attributes: PLAIN }];
  return splitLines(text).map((piece) => ({ text: piece, attributes: reformat(piece, PLAIN, formats) }));
}

function formatRuns(runs: Runs, from: number, to: number, formats: Formats, change: Delta): Runs {
  return changeRuns(runs, from, to, (text, attributes) => {
    let formatted: Runs = null;
    for (const piece of splitLines(text)) {
      const next = reformat(piece, attributes, formats);
      formatted = insert(formatted, lengthOf(formatted), piece, next);
      change.retain(piece.length, next === attributes ? undefined : AttributeMap.diff(attributes, next));
    }
    return formatted;
  });
}

function reformat(piece: string, current: Attributes, formats: Formats): Attributes {
  return piece === '\n' ? formatBlock(current, formats) : formatInline(current, formats);
}

/** "a\nb" becomes "a", "\n", "b". */
export function splitLines(text: string): string[] {
  return text.split(/(\n)/).filter((piece) => piece !== '');
}

/** Applies a delta to a document, and says what it changed: what Quill would show after the same delta. */
import Delta, { AttributeMap } from 'quill-delta';
import type { Formats } from '../editor.ts';
import { type Attributes, formatBlock, formatInline, PLAIN } from './formats.ts';
import { characterAt, concat, lengthOf, type Runs, runsOf, split, visitRuns } from './runs.ts';

export interface Changed {
  runs: Runs;
  /** What really changed: within the document's bounds, without formats that do nothing; no ops where nothing did. */
  change: Delta;
}

/**
 * Costs O(log n) for each op, and O(length) for text that it inserts or formats. As in Quill, an inserted text has
 * exactly the formats that its op names, and the document ends with "\n" in the end, whatever the delta says.
 *
 * @throws TypeError where the delta inserts anything but text
 */
export function applyDelta(document: Runs, delta: Delta): Changed {
  let done: Runs = null;
  let rest = document;
  let endDeleted = false;
  const change = new Delta();
  for (const op of delta.ops) {
    if (op.insert !== undefined) {
      if (typeof op.insert !== 'string') {
        throw new TypeError(`NoQuill holds text only, and the delta inserts ${JSON.stringify(op.insert)}`);
      }
      for (const { text, attributes } of pieces(normalizeNewlines(op.insert), op.attributes)) {
        done = concat(done, runsOf(text, attributes));
        change.insert(text, { ...attributes });
      }
    } else if (op.delete !== undefined) {
      const [gone, kept] = split(rest, op.delete);
      change.delete(lengthOf(gone));
      endDeleted ||= gone !== null && kept === null;
      rest = kept;
    } else if (typeof op.retain === 'number') {
      const [piece, after] = split(rest, op.retain);
      done = concat(done, op.attributes ? formatRuns(piece, op.attributes, change) : piece);
      if (!op.attributes) change.retain(lengthOf(piece));
      rest = after;
    }
  }
  let runs = concat(done, rest);
  if (characterAt(runs, lengthOf(runs) - 1)?.character !== '\n') {
    // The last line outlives the loss of its "\n", unless nothing else is left either.
    const last = endDeleted && runs !== null ? characterAt(document, lengthOf(document) - 1) : null;
    const attributes = last?.attributes ?? PLAIN;
    runs = concat(runs, runsOf('\n', attributes));
    change.insert('\n', { ...attributes });
  }
  return { runs, change: change.chop() };
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

function formatRuns(runs: Runs, formats: Formats, change: Delta): Runs {
  let formatted: Runs = null;
  visitRuns(runs, 0, lengthOf(runs), (text, attributes) => {
    for (const piece of splitLines(text)) {
      const next = reformat(piece, attributes, formats);
      formatted = concat(formatted, runsOf(piece, next));
      change.retain(piece.length, next === attributes ? undefined : AttributeMap.diff(attributes, next));
    }
  });
  return formatted;
}

function reformat(piece: string, current: Attributes, formats: Formats): Attributes {
  return piece === '\n' ? formatBlock(current, formats) : formatInline(current, formats);
}

/** "a\nb" becomes "a", "\n", "b". */
export function splitLines(text: string): string[] {
  return text.split(/(\n)/).filter((piece) => piece !== '');
}

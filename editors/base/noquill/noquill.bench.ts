/** The cost of an edit in NoQuill, in a small and in a large document: it must not grow with the document. */
import Delta from 'quill-delta';
import { typeText } from './keys.ts';
import { NoQuill } from './noquill.ts';

/** Cost of one call, in nanoseconds: the median over rounds. */
export interface NoQuillCost {
  characters: number;
  formattedRuns: number;
  /** A key at a new place: the cursor goes there, then the character is written. */
  keyNs: number;
  insertTextNs: number;
  remoteInsertNs: number;
  deleteNs: number;
}

export interface NoQuillBench {
  small: NoQuillCost;
  /** A document as long as the longest traces, formatted in one of a hundred of their edits. */
  large: NoQuillCost;
}

const ROUNDS = 101;
/** Few enough that a thousand characters stay about as many. */
const EDITS_PER_ROUND = 200;

/** Takes some seconds. Prints nothing. */
export function benchNoQuill(rounds = ROUNDS): NoQuillBench {
  return { small: measure(1000, 0, rounds), large: measure(150_000, 5000, rounds) };
}

function measure(characters: number, formattedRuns: number, rounds: number): NoQuillCost {
  const editor = new NoQuill();
  const contents = new Delta();
  const runs = Math.max(1, formattedRuns * 2);
  for (let run = 0; run < runs; run++) {
    contents.insert('x'.repeat(characters / runs), run % 2 === 1 ? { bold: true } : {});
  }
  editor.setContents(contents.insert('\n'));
  let heard = 0;
  editor.on('text-change', () => heard++);

  // A fixed walk through the document: each edit lands in another place.
  let at = 0;
  const next = () => {
    at = (at + 7919) % (editor.getLength() - 1);
    return at;
  };
  const cost = (edit: (index: number) => void, undo: (index: number) => void) => {
    const costs = Array.from({ length: rounds }, () => {
      const places = Array.from({ length: EDITS_PER_ROUND }, next);
      const startMs = performance.now();
      for (const place of places) edit(place);
      const spentMs = performance.now() - startMs;
      for (const place of places.reverse()) undo(place);
      return (spentMs / EDITS_PER_ROUND) * 1e6;
    });
    return Math.round(costs.sort((a, b) => a - b)[rounds >> 1]!);
  };
  const key = (index: number) => {
    editor.setSelection(index);
    typeText(editor, 'a');
  };
  const insert = (index: number) => editor.insertText(index, 'a', 'user');
  const remove = (index: number) => editor.deleteText(index, 1, 'user');
  const remote = (index: number) => editor.updateContents(new Delta().retain(index).insert('a'), 'api');
  return {
    characters,
    formattedRuns,
    keyNs: cost(key, remove),
    insertTextNs: cost(insert, remove),
    remoteInsertNs: cost(remote, remove),
    deleteNs: cost(remove, insert),
  };
}

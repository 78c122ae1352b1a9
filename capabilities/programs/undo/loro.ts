import { type LoroDoc, UndoManager } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { pair } from '../pairs/loro.ts';
import { type UndoableText, undoesOwn } from './undo.ts';

export const program: Program = () => undoesOwn((text) => pair((doc) => doc.getText('text').insert(0, text), bind));

function bind(doc: LoroDoc): UndoableText {
  const text = doc.getText('text');
  const manager = new UndoManager(doc, { mergeInterval: 0 });
  return {
    insert(position, typed) {
      text.insert(position, typed);
      doc.commit();
    },
    undo: () => manager.undo(),
    redo: () => manager.redo(),
    text: () => text.toString(),
  };
}

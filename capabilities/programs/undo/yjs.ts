import * as Y from 'yjs';
import type { Program } from '../outcome.ts';
import { pair } from '../pairs/yjs.ts';
import { type UndoableText, undoesOwn } from './undo.ts';

export const program: Program = () => undoesOwn((text) => pair((doc) => doc.getText('text').insert(0, text), bind));

function bind(doc: Y.Doc): UndoableText {
  const text = doc.getText('text');
  const manager = new Y.UndoManager(text);
  return {
    insert: (position, typed) => text.insert(position, typed),
    undo: () => manager.undo(),
    redo: () => manager.redo(),
    text: () => text.toString(),
  };
}

import * as Y from 'yjs';
import type { Program } from '../outcome.ts';
import { type UndoStage, undoesOwn } from './undo.ts';

export const program: Program = () => undoesOwn(open);

function open(text: string): UndoStage {
  const [mine, theirs] = [new Y.Doc(), new Y.Doc()];
  mine.getText('text').insert(0, text);
  Y.applyUpdate(theirs, Y.encodeStateAsUpdate(mine));
  const manager = new Y.UndoManager(mine.getText('text'));
  return {
    mine: {
      insert: (position, typed) => mine.getText('text').insert(position, typed),
      undo: () => manager.undo(),
      redo: () => manager.redo(),
      text: () => mine.getText('text').toString(),
    },
    theirs: {
      insert: (position, typed) => theirs.getText('text').insert(position, typed),
      text: () => theirs.getText('text').toString(),
    },
    exchange() {
      Y.applyUpdate(mine, Y.encodeStateAsUpdate(theirs), 'from others');
      Y.applyUpdate(theirs, Y.encodeStateAsUpdate(mine), 'from others');
    },
  };
}

import { LoroDoc, UndoManager } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { type UndoStage, undoesOwn } from './undo.ts';

export const program: Program = () => undoesOwn(open);

function open(text: string): UndoStage {
  const [mine, theirs] = [new LoroDoc(), new LoroDoc()];
  mine.getText('text').insert(0, text);
  theirs.import(mine.export({ mode: 'snapshot' }));
  const manager = new UndoManager(mine, { mergeInterval: 0 });
  return {
    mine: {
      insert(position, typed) {
        mine.getText('text').insert(position, typed);
        mine.commit();
      },
      undo: () => manager.undo(),
      redo: () => manager.redo(),
      text: () => mine.getText('text').toString(),
    },
    theirs: {
      insert: (position, typed) => theirs.getText('text').insert(position, typed),
      text: () => theirs.getText('text').toString(),
    },
    exchange() {
      mine.import(theirs.export({ mode: 'update', from: mine.version() }));
      theirs.import(mine.export({ mode: 'update', from: theirs.version() }));
    },
  };
}

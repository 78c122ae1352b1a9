/** With json-joy's log of patches, which makes the patch that takes one back. */
import { Model } from 'json-joy/lib/json-crdt/index.js';
import { Log } from 'json-joy/lib/json-crdt/log/Log.js';
import type { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import { FIRST_SESSION } from '../json-joy/sessions.ts';
import type { Program } from '../outcome.ts';
import { type UndoStage, undoesOwn } from './undo.ts';

export const program: Program = () => undoesOwn(open);

function open(text: string): UndoStage {
  const seed = Model.create(undefined, FIRST_SESSION);
  seed.api.set({ text });
  seed.api.flush();
  const mine = Model.load(seed.toBinary(), FIRST_SESSION + 1);
  const theirs = Model.load(seed.toBinary(), FIRST_SESSION + 2);
  const log = new Log(() => Model.load(seed.toBinary()), mine);
  const unsent: { mine: Patch[]; theirs: Patch[] } = { mine: [], theirs: [] };
  let last: Patch;
  return {
    mine: {
      insert(position, typed) {
        mine.api.str(['text']).ins(position, typed);
        last = mine.api.flush();
        unsent.mine.push(last);
      },
      undo() {
        const back = log.undo(last);
        mine.applyLocalPatch(back);
        unsent.mine.push(back);
      },
      redo() {
        const again = last.rebase(mine.clock.time);
        mine.applyLocalPatch(again);
        unsent.mine.push(again);
      },
      text: () => (mine.view() as { text: string }).text,
    },
    theirs: {
      insert(position, typed) {
        theirs.api.str(['text']).ins(position, typed);
        unsent.theirs.push(theirs.api.flush());
      },
      text: () => (theirs.view() as { text: string }).text,
    },
    exchange() {
      mine.applyBatch(unsent.theirs.splice(0));
      theirs.applyBatch(unsent.mine.splice(0));
    },
  };
}

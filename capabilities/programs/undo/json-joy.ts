/** With json-joy's log of patches, which makes the patch that takes one back. */
import { Model } from 'json-joy/lib/json-crdt/index.js';
import { Log } from 'json-joy/lib/json-crdt/log/Log.js';
import type { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import type { Program } from '../outcome.ts';
import { type Holder, modelOf, pair } from '../pairs/json-joy.ts';
import { type UndoableText, undoesOwn } from './undo.ts';

export const program: Program = () => undoesOwn((text) => pair(modelOf({ text }), bind));

function bind({ model, unsent, seed }: Holder): UndoableText {
  const log = new Log(() => Model.load(seed), model);
  let last: Patch;
  const apply = (patch: Patch) => {
    model.applyLocalPatch(patch);
    unsent.push(patch);
  };
  return {
    insert(position, typed) {
      model.api.str(['text']).ins(position, typed);
      last = model.api.flush();
      unsent.push(last);
    },
    undo: () => apply(log.undo(last)),
    redo: () => apply(last.rebase(model.clock.time)),
    text: () => (model.view() as { text: string }).text,
  };
}

/**
 * `node bare-replay-main.ts LIBRARY TRACE`: the same edits in a loop that knows nothing of engines, as a cross-check of the
 * scenario `replay`. Prints ms. Written apart from `documents/engines/` on purpose: what is wrong there would be wrong here, too.
 */
import * as Automerge from '@automerge/automerge';
import { Model } from 'json-joy/lib/json-crdt/index.js';
import { LoroDoc } from 'loro-crdt';
import * as Y from 'yjs';
import { resolveTrace } from '../../traces/store.ts';

/** Positions of traces are code points, which are UTF-16 units where no character has two; the traces here have none. */
type Patch = readonly [position: number, deleted: number, inserted: string];

const LIBRARIES: Record<string, (patches: readonly Patch[]) => string> = {
  yjs(patches) {
    const doc = new Y.Doc();
    doc.clientID = 1;
    const text = doc.getText('text');
    for (const [position, deleted, inserted] of patches) {
      if (deleted > 0) text.delete(position, deleted);
      if (inserted !== '') text.insert(position, inserted);
    }
    return text.toString();
  },
  loro(patches) {
    const doc = new LoroDoc();
    doc.setPeerId('1');
    const text = doc.getText('text');
    for (const [position, deleted, inserted] of patches) {
      if (deleted > 0) text.delete(position, deleted);
      if (inserted !== '') text.insert(position, inserted);
      doc.commit();
    }
    return text.toString();
  },
  'json-joy'(patches) {
    const model = Model.create(undefined, 70_000);
    model.api.root('');
    model.api.flush();
    const text = model.api.str([]);
    for (const [position, deleted, inserted] of patches) {
      if (deleted > 0) text.del(position, deleted);
      if (inserted !== '') text.ins(position, inserted);
      model.api.flush();
    }
    return String(model.view());
  },
  automerge(patches) {
    let doc = Automerge.from({ text: '' });
    for (const [position, deleted, inserted] of patches) {
      doc = Automerge.change(doc, { time: 0 }, (draft) => {
        Automerge.splice(draft, ['text'], position, deleted, inserted);
      });
    }
    return doc.text;
  },
};

/** As many as the scenario makes before its clock starts. */
const WARM_UP_EDITS = 2000;

const [library = '', name = ''] = process.argv.slice(2);
const replay = LIBRARIES[library];
if (replay === undefined) throw new Error(`no bare loop for "${library}"; there are ${Object.keys(LIBRARIES)}`);
const trace = await resolveTrace(name);
const patches = trace.txns.flatMap((txn) => txn.patches);
replay(patches.slice(0, WARM_UP_EDITS));
const startMs = performance.now();
const text = replay(patches);
const spentMs = performance.now() - startMs;
if (text !== trace.endContent) throw new Error(`${library} ends with another text`);
console.log(spentMs);
process.exit();

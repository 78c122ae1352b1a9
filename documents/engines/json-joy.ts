/** json-joy: a string node of a JSON CRDT. */

import { Model } from 'json-joy/lib/json-crdt/index.js';
import { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import type { Engine, EngineDocument } from './engine.ts';
import { COMMON_START, wholeNumberOf } from './identity.ts';

/** A session is a random number of 53 bits; small ones are reserved. */
const FIRST_SESSION = 65_536;
const sessionOf = (identity: number) => Math.max(FIRST_SESSION, wholeNumberOf(identity, 53));

/** Every replica begins with the same bytes: two strings made apart would be two strings. */
const EMPTY = makeEmpty();

function makeEmpty(): Uint8Array {
  const model = Model.create(undefined, sessionOf(COMMON_START));
  model.api.root('');
  model.api.flush();
  return model.toBinary();
}

export const engine: Engine = {
  about: { package: 'json-joy', algorithm: 'RGA, by blocks, in splay trees', licence: 'Apache-2.0', kind: 'library' },
  open({ identity }) {
    const model = Model.fromBinary(EMPTY);
    model.setSid(sessionOf(identity));
    return bind(model);
  },
  load: (saved) => bind(Model.fromBinary(saved)),
};

function bind(model: Model): EngineDocument {
  const node = model.api.str([]);
  const change = (position: number, deleted: number, inserted: string) => {
    if (deleted > 0) node.del(position, deleted);
    if (inserted !== '') node.ins(position, inserted);
  };
  let last: Patch | null = null;
  return {
    edit(position, deleted, inserted) {
      change(position, deleted, inserted);
      last = model.api.flush();
    },
    together(make) {
      make(change);
      model.api.flush();
    },
    text: () => String(model.view()),
    takeUpdate: () => last!.toBinary(),
    receive: (received) => model.applyBatch(received.map((update) => Patch.fromBinary(update))),
    save: () => [{ name: 'binary', history: false, bytes: model.toBinary() }],
  };
}

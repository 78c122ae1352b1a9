/** json-joy's rich text as a document of deltas and messages: its extension that holds a Quill document. */

import { Model } from 'json-joy/lib/json-crdt/index.js';
import { quill } from 'json-joy/lib/json-crdt-extensions/quill-delta/index.js';
import type { Op } from 'quill-delta';
import Delta from 'quill-delta';
import { composeAll, type RelayedDocument } from '../base/kit.ts';
import { changeSince, runsOf } from './received.ts';
import { EMPTY, Replica } from './replica.ts';

/** A user who is alone for long is not to fill the memory with keys. */
const MAX_OWN_CHANGES = 1000;

export function createDocument(): RelayedDocument {
  let replica = new Replica(EMPTY, Model.sid());
  let { model, text, contents } = view(replica.model);
  /** The text that the editor shows, without `own`. Asking the model costs more. */
  let shown = contents();
  /** The user's changes since. The library's own binding does not go over the whole text at each key, either. */
  const own: Delta[] = [];
  const addOwn = () => {
    shown = shown.compose(composeAll(own.splice(0)));
  };
  return {
    contents: () => contents(),
    change(delta) {
      text.apply(delta.ops as Parameters<typeof text.apply>[0]);
      if (own.push(delta) === MAX_OWN_CHANGES) addOwn();
    },
    takeMessage: () => replica.takePatch(),
    receive(messages) {
      const before = runsOf(text.text().node);
      replica.receive(messages);
      if (replica.model !== model) ({ model, text, contents } = view(replica.model));
      addOwn();
      const moved = changeSince(before, text.text().node);
      const now = contents();
      // The texts are equal by now, so the difference is their formats.
      const change = moved.compose(shown.compose(moved).diff(now));
      shown = now;
      return change;
    },
    save: () => model.toBinary(),
    wholeAsMessage: () => replica.toMessage(),
    open([savedState, ...messages]) {
      if (savedState === undefined) return;
      replica = new Replica(savedState, Model.sid());
      replica.receive(messages);
      ({ model, text, contents } = view(replica.model));
      shown = contents();
      own.length = 0;
    },
  };
}

/** @param savedState see `save` */
export function loadContents(savedState: Uint8Array): Delta {
  return view(Model.load(savedState, Model.sid())).contents();
}

/** One saved state from another (null: the first) and the messages after it. */
export function compactLog(savedState: Uint8Array | null, log: readonly Uint8Array[]): Uint8Array {
  const replica = new Replica(savedState ?? EMPTY);
  replica.receive(log);
  return replica.toSaved();
}

function view(model: Model) {
  model.ext.register(quill);
  const text = model.api.vec([]).asExt(quill);
  const contents = () => {
    // Both take some changes for none, and go on with what was before them: see the known issues.
    Object.assign(text.node.txt.savedSlices, { _topologyHash: -1 });
    Object.assign(text.node, { _viewHash: -1 });
    return new Delta(text.view() as Op[]);
  };
  return { model, text, contents };
}

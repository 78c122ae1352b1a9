/** json-joy's rich text as a document of deltas and messages: its extension that holds a Quill document. */

import { Model } from 'json-joy/lib/json-crdt/index.js';
import { quill } from 'json-joy/lib/json-crdt-extensions/quill-delta/index.js';
import { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import type { Op } from 'quill-delta';
import Delta from 'quill-delta';
import type { RelayedDocument } from '../base/kit.ts';
import { applyInCausalOrder, changeSince, runsOf } from './received.ts';

/** As wide as the session of any first author: 53 bits, drawn once. */
const SEED_SESSION = 6_917_530_284_119_463;

/** The beginning of every replica: two documents that were made apart would be two. */
const EMPTY = makeEmpty();

function makeEmpty(): Uint8Array {
  const model = Model.create(quill.new('\n'), SEED_SESSION);
  model.api.flush();
  return model.toBinary();
}

export function createDocument(): RelayedDocument {
  let { model, text, contents } = load(EMPTY);
  /** The text that the editor shows. Asking the model costs more. */
  let shown = contents();
  let waiting: Patch[] = [];
  return {
    contents: () => contents(),
    change(delta) {
      text.apply(delta.ops as Parameters<typeof text.apply>[0]);
      shown = shown.compose(delta);
    },
    takeMessage() {
      const patch = model.api.flush();
      return patch.ops.length === 0 ? null : patch.toBinary();
    },
    receive(messages) {
      const before = runsOf(text.text().node);
      waiting = applyInCausalOrder(model, [...waiting, ...messages.map((message) => Patch.fromBinary(message))]);
      const moved = changeSince(before, text.text().node);
      const now = contents();
      // The texts are equal by now, so the difference is their formats.
      const change = moved.compose(shown.compose(moved).diff(now));
      shown = now;
      return change;
    },
    save: () => model.toBinary(),
    open([savedState]) {
      if (savedState === undefined) return;
      ({ model, text, contents } = load(savedState));
      shown = contents();
    },
  };
}

/** @param savedState see `save` */
export function loadContents(savedState: Uint8Array): Delta {
  return load(savedState).contents();
}

/** One saved state from another (null: the first) and the messages after it. */
export function compactLog(savedState: Uint8Array | null, log: readonly Uint8Array[]): Uint8Array {
  const model = Model.load(savedState ?? EMPTY);
  applyInCausalOrder(
    model,
    log.map((message) => Patch.fromBinary(message)),
  );
  return model.toBinary();
}

function load(savedState: Uint8Array) {
  const model = Model.load(savedState, Model.sid());
  model.ext.register(quill);
  const text = model.api.vec([]).asExt(quill);
  const contents = () => {
    // It takes some changes for none and gives back the view from before them: see the known issues.
    Object.assign(text.node, { _viewHash: -1 });
    return new Delta(text.view() as Op[]);
  };
  return { model, text, contents };
}

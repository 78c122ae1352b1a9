/** An Automerge document behind the project's own binding and relay. Its messages are Automerge changes in a row. */
import * as Automerge from '@automerge/automerge';
import Delta from 'quill-delta';
import type { RelayedDocument } from '../base/binding/relayed.ts';
import { createHeldBack } from './held-back.ts';
import { changeBy, contentsOf, deltaOfPatches, type RichText, SEED } from './rich-text.ts';

export function createDocument(): RelayedDocument {
  const heldBack = createHeldBack();
  let document = Automerge.load<RichText>(SEED);
  let unsent: Uint8Array[] = [];

  const commit = () => {
    const before = Automerge.getHeads(document);
    document = changeBy(document, heldBack.take());
    unsent.push(...Automerge.getChangesSince(document, before));
  };
  return {
    contents: () => heldBack.over(contentsOf(document)),
    change: heldBack.add,
    takeMessage() {
      commit();
      if (unsent.length === 0) return null;
      const message = concatenate(unsent);
      unsent = [];
      return message;
    },
    receive(messages) {
      let change = new Delta();
      document = Automerge.loadIncremental(document, concatenate(messages), {
        patchCallback(patches) {
          change = deltaOfPatches(patches);
        },
      });
      return heldBack.rebase(change);
    },
    save() {
      commit();
      return Automerge.save(document);
    },
    open(log) {
      document = Automerge.loadIncremental(document, concatenate(log));
    },
  };
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((bytes, part) => bytes + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

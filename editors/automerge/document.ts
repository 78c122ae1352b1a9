/** An Automerge document behind the project's own binding and relay. Its messages are Automerge changes in a row. */
import * as Automerge from '@automerge/automerge';
import Delta from 'quill-delta';
import type { RelayedDocument } from '../base/binding/relayed.ts';
import { changeBy, contentsOf, deltaOfPatches, type RichText, SEED } from './rich-text.ts';

export { contentsOfSaved } from './rich-text.ts';

export function createDocument(): RelayedDocument {
  let document = Automerge.load<RichText>(SEED);
  let unsent: Uint8Array[] = [];

  return {
    contents: () => contentsOf(document),
    // A change of its own for every edit, as Automerge's users make them: what it follows is what its author saw.
    change(delta) {
      document = changeBy(document, delta, (change) => unsent.push(change));
    },
    takeMessage() {
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
      return change;
    },
    save: () => Automerge.save(document),
    wholeAsMessage: () => Automerge.save(document),
    open(log) {
      document = Automerge.loadIncremental(document, concatenate(log));
    },
  };
}

/** One saved state from another (null: the first) and the messages after it: what the relay gives to a newcomer. */
export function compactLog(savedState: Uint8Array | null, log: readonly Uint8Array[]): Uint8Array {
  return Automerge.save(Automerge.loadIncremental(Automerge.load<RichText>(savedState ?? SEED), concatenate(log)));
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

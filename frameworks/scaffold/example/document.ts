/** The toy's document in terms of deltas and messages. It runs in Chrome and in Node. */
import type { RelayedDocument } from '../../../editors/base/kit.ts';
import { type Op, Toy } from './toy.ts';

/** One user's document. */
export function createDocument(): RelayedDocument {
  const toy = new Toy();
  return {
    contents: () => toy.contents(),

    change: (delta) => toy.change(delta),

    takeMessage() {
      const ops = toy.pending.splice(0);
      return ops.length === 0 ? null : encode(ops);
    },

    hasMessage: () => toy.pending.length > 0,

    receive: (messages) => toy.receive(messages.flatMap((message) => decode(message) as Op[])),

    save: () => encode(toy.save()),

    wholeAsMessage: () => encode(toy.save()),
  };
}

/** The text of a saved document. */
export function loadContents(saved: Uint8Array) {
  return Toy.load(decode(saved) as Op[]).contents();
}

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const decode = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

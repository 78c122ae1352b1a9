/**
 * Loopback: hands every delta of the one writer to the watchers through a relay, and merges nothing. It costs next to
 * nothing, so what is measured with it is the harness itself. With two writers it diverges, and the verdict must say so.
 */
import Delta from 'quill-delta';
import { type RelayedDocument, relayedClient } from '../base/binding/relayed.ts';

export const client = relayedClient('loopback', () => ({ createDocument, contentsOfSaved: decode }));

function createDocument(): RelayedDocument {
  let contents = new Delta().insert('\n');
  let unsent = new Delta();
  return {
    contents: () => contents,
    change(delta) {
      contents = contents.compose(delta);
      unsent = unsent.compose(delta);
    },
    takeMessage() {
      const message = encode(unsent);
      unsent = new Delta();
      return message;
    },
    receive(messages) {
      const change = messages.map(decode).reduce((all, next) => all.compose(next), new Delta());
      contents = contents.compose(change);
      return change;
    },
    save: () => encode(contents),
  };
}

function encode(delta: Delta): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(delta.ops));
}

function decode(bytes: Uint8Array): Delta {
  return new Delta(JSON.parse(new TextDecoder().decode(bytes)));
}

/** my-framework's document in terms of deltas and messages. It runs in Chrome and in Node. */
import type Delta from 'quill-delta';
import type { RelayedDocument } from '../../../../../editors/base/kit.ts';
import { type Operation, type SavedText, StandIn } from './stand-in.ts';

/**
 * One user's document.
 *
 * TO WRITE: the library in the place of the stand-in, in all five functions; then delete stand-in.ts. Positions and
 * lengths in deltas count UTF-16 units. A line's format comes as one attribute of its "\n", which `LINE_FORMAT` names:
 * hold it as any other attribute. If a library can say by itself that a format does not grow over what is typed behind
 * it, say so of this one.
 */
export function createDocument(): RelayedDocument {
  // TO WRITE: a document that holds exactly one "\n". Make it of the same bytes for everyone, such as of a saved state
  // that a constant holds: where each user inserts a "\n" of their own, the merged document has one for each.
  const text = new StandIn();
  let unsent: Operation[] = [];
  return {
    // TO WRITE: what the document holds now, inserts only. Shown once and compared often, never in the way of typing.
    contents: () => text.contents(),

    // TO WRITE: apply what this user did, at once. It was made against the document as it is now.
    change(delta) {
      unsent.push(...text.change(delta));
    },

    // TO WRITE: all that this user did since the last call, as one message; null where that is nothing. Only this
    // user's own: the relay gives the others' messages to everyone.
    takeMessage() {
      if (unsent.length === 0) return null;
      const message = encode(unsent);
      unsent = [];
      return message;
    },

    // TO WRITE: apply the others' messages, in one transaction if there is such a thing. Return what they changed in
    // this document, as one delta that says which of two equal neighbours is new: the difference of two texts does not.
    // They come in the order in which the relay got them; what their authors had seen has come before. A newcomer gets
    // the whole log in one call.
    receive: (messages) => text.receive(messages.flatMap((message) => decode<Operation[]>(message))),

    // TO WRITE: the library's own saved state.
    save: () => encode(text.save()),
  };
}

/** TO WRITE: what a state that `save` returned holds. */
export function loadContents(saved: Uint8Array): Delta {
  return new StandIn(decode<SavedText>(saved)).contents();
}

function encode(value: Operation[] | SavedText): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function decode<T>(bytes: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}

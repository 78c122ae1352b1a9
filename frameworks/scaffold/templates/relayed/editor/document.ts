/** my-framework's document in terms of deltas and messages. It runs in Chrome and in Node. */
import Delta, { type Op } from 'quill-delta';
import * as Y from 'yjs';
import type { RelayedDocument } from '../../../../../editors/base/kit.ts';

/** The origin of others' changes, in the document's transactions. */
const REMOTE = 'relay';

/**
 * One user's document.
 *
 * TO WRITE: your library in the place of Yjs, in all seven functions. Positions and lengths in deltas count UTF-16 units. A
 * line's format comes as one attribute of its "\n", which `LINE_FORMAT` names: hold it as any other attribute. If a
 * library can say by itself that a format does not grow over what is typed behind it, say so of this one.
 */
export function createDocument(): RelayedDocument {
  // TO WRITE: a document that holds exactly one "\n". Make it of the same bytes for everyone, such as of a saved state
  // that a constant holds: if each user inserts a "\n" of their own, the merged document has one for each.
  const doc = new Y.Doc();
  Y.applyUpdate(doc, SEED);
  const text = doc.getText('text');
  let unsent: Uint8Array[] = [];
  doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin !== REMOTE) unsent.push(update);
  });
  let received = new Delta();
  text.observe((event) => {
    if (event.transaction.origin === REMOTE) received = new Delta(event.delta as Op[]);
  });
  return {
    // TO WRITE: what the document holds now, inserts only. Shown once and compared often, never in the way of typing.
    contents: () => contentsOf(doc),

    // TO WRITE: apply what this user did, at once. It was made against the document as it is now.
    change: (delta) => doc.transact(() => text.applyDelta(delta.ops)),

    // TO WRITE: all that this user did since the last call, as one message; null if that is nothing. Only this
    // user's own: the relay gives the others' messages to everyone.
    takeMessage() {
      const updates = unsent;
      unsent = [];
      return updates.length === 0 ? null : Y.mergeUpdates(updates);
    },

    // TO WRITE: nothing, unless the library makes changes of its own after others', as Yjs does to formats.
    hasMessage: () => unsent.length > 0,

    // TO WRITE: apply the others' messages, in one transaction if there is such a thing. Return what they changed in
    // this document, as one delta that says which of two equal neighbours is new: the difference of two texts does not.
    // They come in the order in which the relay got them; what their authors had seen has come before. A newcomer gets
    // the whole log in one call.
    receive(messages) {
      received = new Delta();
      const apply = () => {
        for (const message of messages) Y.applyUpdate(doc, message, REMOTE);
      };
      Y.transact(doc, apply, REMOTE, false);
      return received;
    },

    // TO WRITE: the library's own saved state.
    save: () => Y.encodeStateAsUpdate(doc),

    // TO WRITE: the whole document as one message, which `receive` takes in whatever of it is there already; after a restart of
    // the relay it may come from several users. Leave it out if the library has no such message: users then bring back what
    // they typed themselves.
    wholeAsMessage: () => Y.encodeStateAsUpdate(doc),
  };
}

/** TO WRITE: what a state that `save` returned holds. */
export function loadContents(saved: Uint8Array): Delta {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, saved);
  return contentsOf(doc);
}

function contentsOf(doc: Y.Doc): Delta {
  return new Delta(doc.getText('text').toDelta());
}

/** As wide as a real user's: small numbers would make messages and saved states smaller than they are. */
const SEED_CLIENT = 3_904_217_655;

const SEED = makeSeed();

/** The same bytes for everyone, since its client's number is. */
function makeSeed(): Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = SEED_CLIENT;
  doc.getText('text').insert(0, '\n');
  return Y.encodeStateAsUpdate(doc);
}

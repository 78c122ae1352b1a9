/** A Y.Text as a document of deltas and messages. A message is one update. */
import Delta, { type Op } from 'quill-delta';
import * as Y from 'yjs';
import type { RelayedDocument } from '../base/binding/relayed.ts';
import { createDocument as createYDoc, deltaOf, receiveTogether, textOf } from '../yjs/document.ts';
import { joinPresence } from './presence.ts';

/** The origin of what others did, in the document's transactions. */
const REMOTE = 'relay';

export function createDocument(): RelayedDocument {
  const doc = createYDoc();
  const text = textOf(doc);
  let unsent: Uint8Array[] = [];
  /** Others' changes in the batch under way: one transaction, so one event. */
  let received = new Delta();
  doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (origin !== REMOTE) unsent.push(update);
  });
  text.observe((event) => {
    if (event.transaction.origin === REMOTE) received = new Delta(event.delta as Op[]);
  });
  return {
    contents: () => deltaOf(doc),
    change: (delta) => doc.transact(() => text.applyDelta(delta.ops)),
    takeMessage() {
      const updates = unsent;
      unsent = [];
      return updates.length === 0 ? null : Y.mergeUpdates(updates);
    },
    // After what it received, Yjs may delete format marks that became redundant, in a transaction of its own.
    hasMessage: () => unsent.length > 0,
    receive(messages) {
      receiveTogether(doc, REMOTE, () => {
        for (const message of messages) Y.applyUpdate(doc, message, REMOTE);
      });
      const change = received;
      received = new Delta();
      return change;
    },
    save: () => Y.encodeStateAsUpdate(doc),
    joinPresence: (options) => joinPresence(text, options),
  };
}

/** One saved state from another (null: the first) and the messages after it. */
export function compactLog(savedState: Uint8Array | null, log: readonly Uint8Array[]): Uint8Array {
  const doc = createYDoc();
  for (const update of savedState === null ? log : [savedState, ...log]) Y.applyUpdate(doc, update);
  return Y.encodeStateAsUpdate(doc);
}

/** A Y.Text as a document of deltas and messages. A message is one update. */

import type { Op } from 'quill-delta';
import Delta from 'quill-delta';
import { applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness';
import * as Y from 'yjs';
import type { PresenceJoin, RelayedDocument, RelayedPresence } from '../base/binding/relayed.ts';
import type { PlacedCursor } from '../base/binding/shared-cursors.ts';
import {
  type AwarenessChange,
  createAwareness,
  createDocument as createYDoc,
  deltaOf,
  LOCAL,
  receiveTogether,
  textOf,
} from '../yjs/document.ts';

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
    wholeAsMessage: () => Y.encodeStateAsUpdate(doc),
    joinPresence: (options) => joinPresence(text, options),
  };
}

/** One saved state from another (null: the first) and the messages after it. */
export function compactLog(savedState: Uint8Array | null, log: readonly Uint8Array[]): Uint8Array {
  const doc = createYDoc();
  for (const update of savedState === null ? log : [savedState, ...log]) Y.applyUpdate(doc, update);
  return Y.encodeStateAsUpdate(doc);
}

/** Another user's state in JSON. */
interface State {
  user: { name: string; color: string };
  cursor?: PlacedCursor<object> | null;
}

/** The awareness protocol through the relay. A cursor stands at two relative positions, as y-quill has them. */
function joinPresence(text: Y.Text, { user, send, onHeard }: PresenceJoin): RelayedPresence<Y.RelativePosition> {
  const doc = text.doc!;
  const awareness = createAwareness(doc, user);
  awareness.on('update', (_change: AwarenessChange, origin: unknown) => {
    if (origin === LOCAL) send(encodeAwarenessUpdate(awareness, [doc.clientID]));
    else onHeard();
  });
  return {
    placeAt: (index) => Y.createRelativePositionFromTypeIndex(text, index),
    indexOf: (place) => Y.createAbsolutePositionFromRelativePosition(place, doc)?.index ?? null,
    isSame: (one, other) => Y.compareRelativePositions(one, other),
    tell: (cursor) => awareness.setLocalStateField('cursor', cursor),
    *others() {
      for (const [id, state] of awareness.getStates()) {
        if (id === doc.clientID) continue;
        const { user: other, cursor } = state as State;
        yield [String(id), { name: other.name, colour: other.color, cursor: cursor ? placesOf(cursor) : null }];
      }
    },
    receive: (message) => applyAwarenessUpdate(awareness, message, 'relay'),
    // It tells the others, and ends its timer.
    leave: () => awareness.destroy(),
  };
}

function placesOf({ anchor, head }: PlacedCursor<object>): PlacedCursor<Y.RelativePosition> {
  return { anchor: Y.createRelativePositionFromJSON(anchor), head: Y.createRelativePositionFromJSON(head) };
}

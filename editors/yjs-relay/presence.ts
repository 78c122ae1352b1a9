/** The awareness protocol through the relay. A cursor stands at two relative positions, as y-quill has them. */
import { applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness';
import * as Y from 'yjs';
import type { PresenceJoin, RelayedPresence } from '../base/binding/relayed-presence.ts';
import type { PlacedCursor } from '../base/binding/shared-cursors.ts';
import { type AwarenessChange, createAwareness, LOCAL } from '../yjs/awareness.ts';

/** Another user's state in JSON. */
interface State {
  user: { name: string; color: string };
  cursor?: PlacedCursor<object> | null;
}

export function joinPresence(text: Y.Text, { user, send, onHeard }: PresenceJoin): RelayedPresence<Y.RelativePosition> {
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

/** automerge-repo's Presence, which sends by ephemeral messages of the document's handle. Cursors are Automerge's. */
import * as Automerge from '@automerge/automerge';
import { type DocHandle, Presence as RepoPresence } from '@automerge/automerge-repo';
import type { RichText } from '../automerge/rich-text.ts';
import type { LibraryPresence, PlacedCursor } from '../base/binding/shared-cursors.ts';
import type { Presence } from '../base/framework.ts';

/** Its channels: what changes is sent by itself. */
type State = { user: Presence; cursor: PlacedCursor<Automerge.Cursor> | null };

const PATH = ['text'];

/** @param options.onHeard called when an other came, moved, or went */
export function joinPresence(options: {
  handle: DocHandle<RichText>;
  user: Presence;
  onHeard: () => void;
}): LibraryPresence<Automerge.Cursor> & { leave(): void } {
  const { handle, user, onHeard } = options;
  const presence = new RepoPresence<State, RichText>({ handle });
  for (const event of ['update', 'snapshot', 'goodbye', 'pruning'] as const) presence.on(event, onHeard);
  presence.start({ initialState: { user, cursor: null } });
  return {
    placeAt: (index) => Automerge.getCursor(handle.doc(), PATH, index),
    indexOf: (place) => indexOf(handle.doc(), place),
    isSame: (one, other) => one === other,
    tell: (cursor) => presence.broadcast('cursor', cursor),
    *others() {
      for (const [id, { value }] of Object.entries(presence.getPeerStates().value)) {
        // The first message of a peer may come after a later one.
        if (value.user !== undefined) yield [id, { ...value.user, cursor: value.cursor ?? null }];
      }
    },
    leave: () => presence.stop(),
  };
}

function indexOf(document: Automerge.Doc<RichText>, place: Automerge.Cursor): number | null {
  try {
    return Automerge.getCursorPosition(document, PATH, place);
  } catch {
    // The character has not arrived.
    return null;
  }
}

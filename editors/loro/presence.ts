/** Loro's EphemeralStore through the relay: one key for each user, with stable cursors into the text. */
import { equalityDeep } from 'lib0/function';
import { Cursor, EphemeralStore, type LoroDoc, type LoroText } from 'loro-crdt';
import type { PresenceJoin, RelayedPresence } from '../base/binding/relayed.ts';

/** Age at which the store forgets a state that nobody sets anew, ms: its default. */
const FORGOTTEN_AFTER_MS = 30_000;

/** A cursor of Loro's, encoded. */
type Place = Uint8Array;

interface State {
  name: string;
  colour: string;
  anchor: Place | null;
  head: Place | null;
  // Loro's types ask for it.
  [field: string]: string | Place | null;
}

export function joinPresence(
  { doc, text }: { doc: LoroDoc; text: LoroText },
  { user, send, onHeard }: PresenceJoin,
): RelayedPresence<Place> {
  const store = new EphemeralStore<Record<string, State>>(FORGOTTEN_AFTER_MS);
  const own = doc.peerIdStr;
  let state: State = { ...user, anchor: null, head: null };
  store.subscribeLocalUpdates(send);
  store.subscribe(({ by }) => {
    if (by !== 'local') onHeard();
  });
  // The store does not say by itself that its user is still there.
  const renewal = setInterval(() => store.set(own, state), FORGOTTEN_AFTER_MS / 2);
  return {
    placeAt: (index) => text.getCursor(index)!.encode(),
    indexOf: (place) => indexOf(doc, place),
    isSame: (one, other) => equalityDeep(one, other) || characterOf(one) === characterOf(other),
    tell(cursor) {
      state = { ...user, anchor: cursor?.anchor ?? null, head: cursor?.head ?? null };
      store.set(own, state);
    },
    *others() {
      for (const [id, other] of Object.entries(store.getAllStates())) {
        if (id === own || other === undefined) continue;
        const { name, colour, anchor, head } = other;
        yield [id, { name, colour, cursor: anchor === null || head === null ? null : { anchor, head } }];
      }
    },
    receive: (message) => store.apply(message),
    leave() {
      clearInterval(renewal);
      store.delete(own);
      store.destroy();
    },
  };
}

/** Encoded, a cursor also has the index that it was made at, so two may differ that stand beside one character. */
function characterOf(place: Place): string {
  const cursor = Cursor.decode(place);
  return JSON.stringify([cursor.pos(), cursor.side()]);
}

function indexOf(doc: LoroDoc, place: Place): number | null {
  try {
    return doc.getCursorPos(Cursor.decode(place))?.offset ?? null;
  } catch {
    // The character beside the cursor has not arrived.
    return null;
  }
}

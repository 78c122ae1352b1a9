/**
 * Collabs' CPresence through the relay, in a runtime of its own. In the document's, every move of a cursor would be a message
 * of the document: the relay would have to log it, and who joins late could not do without it.
 */
import { CPresence, type CRichText, CRuntime, Cursors } from '@collabs/collabs';
import type { PresenceJoin, RelayedPresence } from '../base/binding/relayed-presence.ts';
import type { PlacedCursor } from '../base/binding/shared-cursors.ts';
import type { WideCharacters } from './wide-characters.ts';

/** A cursor of Collabs': the position of the character before it. */
type Place = string;

type State = { name: string; colour: string; cursor: PlacedCursor<Place> | null };

export function joinPresence(
  { text, wide }: { text: CRichText; wide: WideCharacters },
  { user, send, onHeard }: PresenceJoin,
): RelayedPresence<Place> {
  // Only the newest cursor counts, so none waits for an earlier one, which a newcomer never gets.
  const runtime = new CRuntime({ causalityGuaranteed: true });
  const presence = runtime.registerCollab('presence', (init) => new CPresence<State>(init));
  runtime.on('Send', ({ message }) => send(message));
  presence.on('Set', ({ meta }) => {
    if (!meta.isLocalOp) onHeard();
  });
  presence.on('Delete', onHeard);
  // Without a transaction it would be sent in a microtask, when the connection may be closed.
  runtime.transact(() => {
    presence.setOurs({ ...user, cursor: null });
    presence.connect();
  });
  return {
    placeAt: (index) => Cursors.fromIndex(wide.toElement(index), text),
    indexOf: (place) => indexOf(text, wide, place),
    isSame: (one, other) => one === other,
    tell: (cursor) => runtime.transact(() => presence.updateOurs('cursor', cursor)),
    others: () => [...presence].filter(([id]) => id !== runtime.replicaID),
    receive: (message) => runtime.receive(message),
    leave: () => runtime.transact(() => presence.disconnect()),
  };
}

function indexOf(text: CRichText, wide: WideCharacters, place: Place): number | null {
  try {
    return wide.toUnit(Cursors.toIndex(place, text));
  } catch {
    // The character has not arrived.
    return null;
  }
}

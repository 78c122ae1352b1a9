/** A CRichText as a document of deltas and messages. */

import { CPresence, type CRichText, CRuntime, Cursors, mergeMessages } from '@collabs/collabs';
import Delta from 'quill-delta';
import type { PresenceJoin, RelayedDocument, RelayedLibrary, RelayedPresence } from '../base/binding/relayed.ts';
import type { PlacedCursor } from '../base/binding/shared-cursors.ts';
import { composeAll } from '../base/delta.ts';
import { createReplica, type Ordering, receiveAll, SEED_STATE, wholeAsMessage } from './replica.ts';
import { createWideCharacters, type WideCharacters } from './wide-characters.ts';

/** The library with this ordering. */
export function collabsWith(ordering: Ordering): RelayedLibrary {
  return {
    createDocument: () => createDocument(ordering),
    contentsOfSaved(saved) {
      const document = createDocument(ordering);
      document.open([saved]);
      return document.contents();
    },
  };
}

/** It holds nothing until `open` gets the relay's saved state, or an empty log. */
export function createDocument(ordering: Ordering): RelayedDocument & Required<Pick<RelayedDocument, 'open'>> {
  const { runtime, text } = createReplica(ordering);
  const wide = createWideCharacters();
  let unsent: Uint8Array[] = [];
  /** Others' changes in the batch under way: each event is against the text as the one before left it. */
  const received: Delta[] = [];

  runtime.on('Send', ({ message }) => unsent.push(message));
  text.on('Insert', ({ index, values, format, meta }) => {
    if (!meta.isLocalOp) received.push(new Delta().retain(wide.toUnit(index)).insert(values, format));
    wide.inserted(index, [...values]);
  });
  text.on('Delete', ({ index, values, meta }) => {
    if (!meta.isLocalOp) received.push(new Delta().retain(wide.toUnit(index)).delete(values.length));
    wide.deleted(index, [...values].length);
  });
  text.on('Format', ({ startIndex, endIndex, key, value, meta }) => {
    if (meta.isLocalOp) return;
    const start = wide.toUnit(startIndex);
    const length = wide.toUnit(endIndex) - start;
    received.push(new Delta().retain(start).retain(length, { [key]: value ?? null }));
  });

  function apply(delta: Delta): void {
    let unit = 0;
    for (const { insert, retain, delete: deleted, attributes = {} } of delta.ops) {
      const start = wide.toElement(unit);
      if (typeof insert === 'string') {
        // `insert` puts whole characters into its list but counts a string's UTF-16 units; of an array, both are equal.
        text.insert(start, [...insert] as unknown as string, attributes);
        unit += insert.length;
      } else if (typeof retain === 'number') {
        const end = wide.toElement(unit + retain);
        for (const [key, value] of Object.entries(attributes)) text.format(start, end, key, value ?? undefined);
        unit += retain;
      } else if (deleted !== undefined) {
        text.delete(start, wide.toElement(unit + deleted) - start);
      }
    }
  }

  return {
    open([savedState = SEED_STATE, ...messages]) {
      runtime.load(savedState);
      receiveAll(runtime, messages);
      // The editor gets the whole document, with these in it.
      received.length = 0;
    },
    contents: () => new Delta(text.formatted().map(({ values, format }) => ({ insert: values, attributes: format }))),
    change: (delta) => runtime.transact(() => apply(delta)),
    takeMessage() {
      const messages = unsent;
      unsent = [];
      return messages.length === 0 ? null : mergeMessages(messages);
    },
    receive(messages) {
      receiveAll(runtime, messages);
      return composeAll(received.splice(0));
    },
    save: () => runtime.save(),
    wholeAsMessage: () => wholeAsMessage(runtime),
    joinPresence: (options) => joinPresence({ text, wide }, options),
  };
}

/** A cursor of Collabs': the position of the character before it. */
type Place = string;

type State = { name: string; colour: string; cursor: PlacedCursor<Place> | null };

/**
 * Collabs' CPresence through the relay, in a runtime of its own. In the document's runtime every move of a cursor would be a
 * message of the document, which the relay would have to log.
 */
function joinPresence(
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

/**
 * ShareDB's presence of a document. Its cursors are ranges, which each client moves with the text by the type's own rule, so
 * nobody tells of a cursor that only went on with what was typed.
 */
import type { Connection } from 'sharedb/lib/client/index.js';
import type { LocalPresence, Presence as SharedPresence } from 'sharedb/lib/sharedb';
import type { LibraryPresence } from '../base/binding/shared-cursors.ts';
import type { Presence } from '../base/framework.ts';
import { COLLECTION } from './document.ts';

/** As the type's `transformPresence` takes it, and what ShareDB's own example adds. */
interface Range extends Presence {
  index: number;
  length: number;
}

/**
 * Where the connection ends, the server tells the others that this user is gone.
 *
 * @param options.onHeard called when an other came, moved, or went
 * @throws what ShareDB's server answers where it refuses
 */
export async function joinPresence(options: {
  connection: Connection;
  documentId: string;
  user: Presence;
  onHeard: () => void;
}): Promise<LibraryPresence<number>> {
  const { connection, documentId, user, onHeard } = options;
  const presence: SharedPresence<Range> = connection.getDocPresence(COLLECTION, documentId);
  await new Promise<void>((resolve, reject) => presence.subscribe((error) => (error ? reject(error) : resolve())));
  presence.on('receive', onHeard);
  const own: LocalPresence<Range | null> = presence.create(crypto.randomUUID());
  return {
    placeAt: (index) => index,
    indexOf: (index) => index,
    isSame: (one, other) => one === other,
    tell(cursor) {
      const range = cursor && { ...user, index: cursor.anchor, length: cursor.head - cursor.anchor };
      own.submit(range, (error) => error && console.error(error));
    },
    known: () => own.value && placesOf(own.value),
    *others() {
      for (const [id, range] of Object.entries(presence.remotePresences)) {
        yield [id, { name: range.name, colour: range.colour, cursor: placesOf(range) }];
      }
    },
  };
}

function placesOf({ index, length }: Range) {
  return { anchor: index, head: index + length };
}

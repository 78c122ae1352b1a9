/**
 * ShareDB's presence of a document. Its cursors are ranges, which each client moves with the text by the type's own rule, so
 * nobody tells of a cursor that only went on with what was typed.
 */
import type { Connection } from 'sharedb/lib/client/index.js';
import type { LocalPresence, Presence as SharedPresence } from 'sharedb/lib/sharedb';
import { type LibraryPresence, shareCursors } from '../base/binding/shared-cursors.ts';
import type { Editor } from '../base/editor.ts';
import type { Batching, Presence } from '../base/framework.ts';
import { COLLECTION } from './document.ts';

/** As the type's `transformPresence` takes it, and what ShareDB's own example adds. */
interface Range extends Presence {
  index: number;
  length: number;
}

/**
 * Takes part in the presence of the document. If the connection ends, the server tells the others that this user is gone.
 *
 * @returns a function that ends it
 * @throws the answer of ShareDB's server if it refuses
 */
export async function sharePresence(options: {
  connection: Connection;
  documentId: string;
  presence: Presence;
  editor: Editor;
  batching: Batching;
}): Promise<() => void> {
  const { connection, documentId, presence: user, editor, batching } = options;
  const shared: SharedPresence<Range> = connection.getDocPresence(COLLECTION, documentId);
  await new Promise<void>((resolve, reject) => shared.subscribe((error) => (error ? reject(error) : resolve())));
  const cursors = shareCursors({
    editor,
    presence: presenceIn(shared, user),
    // Received presence already came in a batch of frames.
    batching: { ...batching, receiveMs: 0 },
  });
  shared.on('receive', cursors.heard);
  connection.on('connected', cursors.tellAgain);
  return cursors.stop;
}

function presenceIn(shared: SharedPresence<Range>, user: Presence): LibraryPresence<number> {
  const own: LocalPresence<Range | null> = shared.create(crypto.randomUUID());
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
      for (const [id, range] of Object.entries(shared.remotePresences)) {
        yield [id, { name: range.name, colour: range.colour, cursor: placesOf(range) }];
      }
    },
  };
}

function placesOf({ index, length }: Range) {
  return { anchor: index, head: index + length };
}

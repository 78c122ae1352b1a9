/** The document as Yjs holds it, for the ways that keep its updates. */
import * as Y from 'yjs';
import type { Edit } from './way.ts';

/** Of the whole state in a store. */
export const STATE_KEY = 's';
const TEXT_NAME = 'text';
/** The author's, the same in every run: a random one makes longer updates, of other lengths each time. */
const CLIENT_ID = 1;
/** What Yjs makes of a change of nothing. */
const NOTHING = Uint8Array.of(0, 0);

/** Of updates, in the order in which they were made. */
export function documentOf(updates: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc();
  doc.transact(() => {
    for (const update of updates) Y.applyUpdate(doc, update);
  });
  return doc;
}

export function textOf(doc: Y.Doc): string {
  return doc.getText(TEXT_NAME).toString();
}

/** Whoever types into the document elsewhere: gives each edit's update. */
export function createAuthor(): (edit: Omit<Edit, 'update'>) => Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = CLIENT_ID;
  const text = doc.getText(TEXT_NAME);
  let last: Uint8Array = NOTHING;
  doc.on('update', (update: Uint8Array) => {
    last = update;
  });
  return ({ position, deleted, inserted }) => {
    last = NOTHING;
    doc.transact(() => {
      if (deleted > 0) text.delete(position, deleted);
      if (inserted !== '') text.insert(position, inserted);
    });
    return last;
  };
}

/** The document that every replica starts from: exactly one "\n", as the same bytes for everyone. */
import * as Y from 'yjs';

export const TEXT_NAME = 'text';

/** A client number that no replica draws: they are random 32-bit numbers. */
const SEED_CLIENT = 1;

export const SEED_UPDATE: Uint8Array = makeSeed();

function makeSeed(): Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = SEED_CLIENT;
  doc.getText(TEXT_NAME).insert(0, '\n');
  return Y.encodeStateAsUpdate(doc);
}

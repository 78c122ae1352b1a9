/** Yjs: a YText of a document that collects garbage, as it does by default. */
import * as Y from 'yjs';
import { type Engine, type EngineDocument, encodingsOf, lastUpdate, type OpenOptions } from './engine.ts';
import { COMMON_START, wholeNumberOf } from './identity.ts';

const TEXT_NAME = 'text';

export const engine: Engine = {
  about: { package: 'yjs', algorithm: 'YATA', licence: 'MIT', kind: 'library' },
  open: (options) => bind(new Y.Doc(), options),
  load(saved) {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, saved);
    return bind(doc, { identity: COMMON_START, updates: false });
  },
};

function bind(doc: Y.Doc, { identity, updates }: OpenOptions): EngineDocument {
  // A client is a random number of 32 bits.
  doc.clientID = wholeNumberOf(identity, 32);
  const text = doc.getText(TEXT_NAME);
  const edit = (position: number, deleted: number, inserted: string) => {
    if (deleted > 0 && inserted !== '') {
      doc.transact(() => {
        text.delete(position, deleted);
        text.insert(position, inserted);
      });
    } else if (deleted > 0) text.delete(position, deleted);
    else if (inserted !== '') text.insert(position, inserted);
  };
  return {
    edit,
    together: (make) => doc.transact(() => make(edit)),
    text: () => text.toString(),
    takeUpdate: lastUpdate(updates, (keep) => doc.on('update', keep)),
    receive: (received) =>
      Y.transact(
        doc,
        () => {
          for (const update of received) Y.applyUpdate(doc, update);
        },
        null,
        false,
      ),
    save: (only) =>
      encodingsOf(only, [
        ['V1', false, () => Y.encodeStateAsUpdate(doc)],
        ['V2', false, () => Y.encodeStateAsUpdateV2(doc)],
      ]),
    free: () => doc.destroy(),
  };
}

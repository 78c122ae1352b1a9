/** ywasm: Yrs, the Rust port of Yjs, as WebAssembly. */
import * as Y from 'ywasm';
import { type Engine, type EngineDocument, encodingsOf, lastUpdate, type OpenOptions } from './engine.ts';
import { COMMON_START, wholeNumberOf } from './identity.ts';

const TEXT_NAME = 'text';

export const engine: Engine = {
  about: { package: 'ywasm', algorithm: 'YATA', licence: 'MIT', kind: 'library' },
  open: (options) => bind(create(options.identity), options),
  load(saved) {
    const doc = create(COMMON_START);
    Y.applyUpdate(doc, saved, undefined);
    return bind(doc, { identity: COMMON_START, updates: false });
  },
};

/** A client is a random number of 32 bits; the option is called `clientID`. */
function create(identity: number): Y.YDoc {
  return new Y.YDoc({ clientID: wholeNumberOf(identity, 32) });
}

function bind(doc: Y.YDoc, { updates }: OpenOptions): EngineDocument {
  const text = doc.getText(TEXT_NAME);
  const change = (position: number, deleted: number, inserted: string, transaction: Y.YTransaction | undefined) => {
    if (deleted > 0) text.delete(position, deleted, transaction);
    if (inserted !== '') text.insert(position, inserted, undefined, transaction);
  };
  const inTransaction = (make: (transaction: Y.YTransaction) => void) => {
    const transaction = doc.beginTransaction(undefined);
    try {
      make(transaction);
      transaction.commit();
    } finally {
      transaction.free();
    }
  };
  return {
    edit(position, deleted, inserted) {
      const isBoth = deleted > 0 && inserted !== '';
      if (isBoth) inTransaction((transaction) => change(position, deleted, inserted, transaction));
      else change(position, deleted, inserted, undefined);
    },
    together: (make) =>
      inTransaction((transaction) =>
        make((position, deleted, inserted) => change(position, deleted, inserted, transaction)),
      ),
    text: () => text.toString(undefined),
    takeUpdate: lastUpdate(updates, (keep) => doc.onUpdate(keep)),
    receive: (received) =>
      inTransaction((transaction) => {
        for (const update of received) transaction.applyV1(update);
      }),
    save: (only) =>
      encodingsOf(only, [
        ['V1', false, () => Y.encodeStateAsUpdate(doc)],
        ['V2', false, () => Y.encodeStateAsUpdateV2(doc)],
      ]),
    free: () => doc.free(),
  };
}

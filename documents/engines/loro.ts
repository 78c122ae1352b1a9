/** Loro: a LoroText. */
import { LoroDoc } from 'loro-crdt';
import { type Engine, type EngineDocument, lastUpdate, type OpenOptions } from './engine.ts';
import { bytesOf, COMMON_START } from './identity.ts';

const TEXT_NAME = 'text';

export const engine: Engine = {
  about: { package: 'loro-crdt', algorithm: 'Fugue on Eg-walker’s replay', licence: 'MIT', kind: 'library' },
  open: (options) => bind(new LoroDoc(), options),
  load: (saved) => bind(LoroDoc.fromSnapshot(saved), { identity: COMMON_START, updates: false }),
};

function bind(doc: LoroDoc, { identity, updates }: OpenOptions): EngineDocument {
  // A peer is a random number of 64 bits.
  doc.setPeerId(bytesOf(identity, 8).readBigUInt64BE());
  const text = doc.getText(TEXT_NAME);
  const change = (position: number, deleted: number, inserted: string) => {
    if (deleted > 0) text.delete(position, deleted);
    if (inserted !== '') text.insert(position, inserted);
  };
  return {
    edit(position, deleted, inserted) {
      change(position, deleted, inserted);
      doc.commit();
    },
    together(make) {
      make(change);
      doc.commit();
    },
    text: () => text.toString(),
    takeUpdate: lastUpdate(updates, (keep) => doc.subscribeLocalUpdates(keep)),
    receive(received) {
      if (received.length === 1) doc.import(received[0]!);
      else doc.importBatch([...received]);
    },
    save: () => [
      { name: 'snapshot', history: true, bytes: doc.export({ mode: 'snapshot' }) },
      { name: 'updates', history: true, bytes: doc.export({ mode: 'update' }) },
      {
        name: 'shallow snapshot',
        history: false,
        bytes: doc.export({ mode: 'shallow-snapshot', frontiers: doc.frontiers() }),
      },
    ],
    free: () => doc.free(),
  };
}

/** Loro: a LoroText. */
import { LoroDoc } from 'loro-crdt';
import { type Engine, type EngineDocument, encodingsOf, lastUpdate, type OpenOptions } from './engine.ts';
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
    save: (only) =>
      encodingsOf(only, [
        ['snapshot', true, () => doc.export({ mode: 'snapshot' })],
        ['updates', true, () => doc.export({ mode: 'update' })],
        ['shallow snapshot', false, () => doc.export({ mode: 'shallow-snapshot', frontiers: doc.frontiers() })],
      ]),
    free: () => doc.free(),
  };
}

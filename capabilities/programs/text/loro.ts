import { LoroDoc } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { triesText } from './text.ts';

export const program: Program = (capability) =>
  triesText<LoroDoc>(capability, 'loro', {
    create(text) {
      const doc = new LoroDoc();
      doc.getText('text').insert(0, text);
      return doc;
    },
    insert(doc, position, text) {
      const before = doc.version();
      doc.getText('text').insert(position, text);
      return [doc, doc.export({ mode: 'update', from: before })];
    },
    receive(doc, update) {
      doc.import(update);
      return doc;
    },
    text: (doc) => doc.getText('text').toString(),
    save: (doc) => doc.export({ mode: 'snapshot' }),
    load: (saved) => LoroDoc.fromSnapshot(saved),
    exchange(one, other) {
      const forOther = one.export({ mode: 'update', from: other.version() });
      one.import(other.export({ mode: 'update', from: one.version() }));
      other.import(forOther);
      return [one, other];
    },
  });

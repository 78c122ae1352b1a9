import { LoroDoc } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { agreesThroughOpaqueServer } from './relay.ts';

export const program: Program = () =>
  agreesThroughOpaqueServer({
    seed(text) {
      const doc = new LoroDoc();
      doc.getText('text').insert(0, text);
      return doc.export({ mode: 'snapshot' });
    },
    open: (seed) => LoroDoc.fromSnapshot(seed),
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
  });

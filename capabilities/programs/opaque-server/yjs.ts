import * as Y from 'yjs';
import type { Program } from '../outcome.ts';
import { agreesThroughOpaqueServer } from './relay.ts';

export const program: Program = () =>
  agreesThroughOpaqueServer({
    seed(text) {
      const doc = new Y.Doc();
      doc.getText('text').insert(0, text);
      return Y.encodeStateAsUpdate(doc);
    },
    open(seed) {
      const doc = new Y.Doc();
      Y.applyUpdate(doc, seed);
      return doc;
    },
    insert(doc, position, text) {
      const before = Y.encodeStateVector(doc);
      doc.getText('text').insert(position, text);
      return [doc, Y.encodeStateAsUpdate(doc, before)];
    },
    receive(doc, update) {
      Y.applyUpdate(doc, update);
      return doc;
    },
    text: (doc) => doc.getText('text').toString(),
  });

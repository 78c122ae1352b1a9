import * as Y from 'yjs';
import type { Program } from '../outcome.ts';
import { mergesOffline } from './offline.ts';

export const program: Program = () =>
  mergesOffline({
    create(text) {
      const doc = new Y.Doc();
      doc.getText('text').insert(0, text);
      return doc;
    },
    insert(doc, position, text) {
      doc.getText('text').insert(position, text);
      return doc;
    },
    text: (doc) => doc.getText('text').toString(),
    save: (doc) => Y.encodeStateAsUpdate(doc),
    load(saved) {
      const doc = new Y.Doc();
      Y.applyUpdate(doc, saved);
      return doc;
    },
    exchange(one, other) {
      const forOther = Y.encodeStateAsUpdate(one, Y.encodeStateVector(other));
      Y.applyUpdate(one, Y.encodeStateAsUpdate(other, Y.encodeStateVector(one)));
      Y.applyUpdate(other, forOther);
      return [one, other];
    },
  });

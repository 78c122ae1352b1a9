import * as Y from 'yjs';
import type { Program } from '../outcome.ts';
import { triesText } from './text.ts';

export const program: Program = (capability) =>
  triesText<Y.Doc>(capability, 'yjs', {
    create(text) {
      const doc = new Y.Doc();
      doc.getText('text').insert(0, text);
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

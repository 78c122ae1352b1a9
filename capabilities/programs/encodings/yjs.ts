import * as Y from 'yjs';
import type { Program } from '../outcome.ts';
import { staysReadable } from './encodings.ts';

export const program: Program = () =>
  staysReadable(
    {
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
    },
    'yjs',
  );

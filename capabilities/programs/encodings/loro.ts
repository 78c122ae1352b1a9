import { LoroDoc } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { staysReadable } from './encodings.ts';

export const program: Program = () =>
  staysReadable(
    {
      create(text) {
        const doc = new LoroDoc();
        doc.getText('text').insert(0, text);
        return doc;
      },
      insert(doc, position, text) {
        doc.getText('text').insert(position, text);
        return doc;
      },
      text: (doc) => doc.getText('text').toString(),
      save: (doc) => doc.export({ mode: 'snapshot' }),
      load: (saved) => LoroDoc.fromSnapshot(saved),
    },
    'loro',
  );

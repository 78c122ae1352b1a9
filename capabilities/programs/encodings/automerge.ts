import * as Automerge from '@automerge/automerge';
import type { Program } from '../outcome.ts';
import { staysReadable } from './encodings.ts';

interface Content extends Record<string, unknown> {
  text: string;
}

export const program: Program = () =>
  staysReadable<Automerge.Doc<Content>>(
    {
      create: (text) => Automerge.from<Content>({ text }),
      insert: (doc, position, text) =>
        Automerge.change(doc, (draft) => Automerge.splice(draft, ['text'], position, 0, text)),
      text: (doc) => doc.text,
      save: (doc) => Automerge.save(doc),
      load: (saved) => Automerge.load(saved),
    },
    'automerge',
  );

import * as Automerge from '@automerge/automerge';
import type { Program } from '../outcome.ts';
import { mergesOffline } from './offline.ts';

interface Content extends Record<string, unknown> {
  text: string;
}

export const program: Program = () =>
  mergesOffline<Automerge.Doc<Content>>({
    create: (text) => Automerge.from<Content>({ text }),
    insert: (doc, position, text) =>
      Automerge.change(doc, (draft) => Automerge.splice(draft, ['text'], position, 0, text)),
    text: (doc) => doc.text,
    save: (doc) => Automerge.save(doc),
    load: (saved) => Automerge.load(saved),
    exchange(one, other) {
      const met = Automerge.merge(one, other);
      return [met, Automerge.merge(other, met)];
    },
  });

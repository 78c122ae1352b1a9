import * as Automerge from '@automerge/automerge';
import type { Program } from '../outcome.ts';
import { triesText } from './text.ts';

interface Content extends Record<string, unknown> {
  text: string;
}

export const program: Program = (capability) =>
  triesText<Automerge.Doc<Content>>(capability, 'automerge', {
    create: (text) => Automerge.from<Content>({ text }),
    insert(doc, position, text) {
      const changed = Automerge.change(doc, (draft) => Automerge.splice(draft, ['text'], position, 0, text));
      return [changed, Automerge.getLastLocalChange(changed)!];
    },
    receive: (doc, update) => Automerge.applyChanges(doc, [update])[0],
    text: (doc) => doc.text,
    save: (doc) => Automerge.save(doc),
    load: (saved) => Automerge.load(saved),
    exchange(one, other) {
      const met = Automerge.merge(one, other);
      return [met, Automerge.merge(other, met)];
    },
  });

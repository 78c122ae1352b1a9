import * as Automerge from '@automerge/automerge';
import type { Program } from '../outcome.ts';
import { agreesThroughOpaqueServer } from './relay.ts';

interface Content extends Record<string, unknown> {
  text: string;
}

export const program: Program = () =>
  agreesThroughOpaqueServer<Automerge.Doc<Content>>({
    seed: (text) => Automerge.save(Automerge.from<Content>({ text })),
    open: (seed) => Automerge.load(seed),
    insert(doc, position, text) {
      const changed = Automerge.change(doc, (draft) => Automerge.splice(draft, ['text'], position, 0, text));
      return [changed, Automerge.getLastLocalChange(changed)!];
    },
    receive: (doc, update) => Automerge.applyChanges(doc, [update])[0],
    text: (doc) => doc.text,
  });

import * as Automerge from '@automerge/automerge';
import type { Program } from '../outcome.ts';
import { looksBack } from './history.ts';

export const program: Program = () =>
  looksBack<Automerge.Heads>(() => {
    let doc = Automerge.from<Record<string, unknown> & { text: string }>({ text: '' });
    return {
      write(text) {
        doc = Automerge.change(doc, (draft) => Automerge.updateText(draft, ['text'], text));
      },
      version: () => Automerge.getHeads(doc),
      textAt: (heads) => Automerge.view(doc, heads).text,
      text: () => doc.text,
    };
  });

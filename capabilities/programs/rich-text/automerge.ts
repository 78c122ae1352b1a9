import * as Automerge from '@automerge/automerge';
import type { Program } from '../outcome.ts';
import { type Format, keepsIntent, type RichText, type Stage } from './rich-text.ts';

interface Content extends Record<string, unknown> {
  text: string;
}

const PATH = ['text'];
/** Which edges of a format grow is said with each mark. */
const EXPAND: Record<Format, 'after' | 'none'> = { bold: 'after', italic: 'after', link: 'none' };

export const program: Program = (capability) => keepsIntent(capability, open);

function open(text: string): Stage {
  const seed = Automerge.save(Automerge.from<Content>({ text }, { actor: 'ff' }));
  const documents = ['01', '02'].map((actor) => ({ doc: Automerge.load<Content>(seed, { actor }) }));
  const [one, other] = documents as [Holder, Holder];
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      one.doc = Automerge.merge(one.doc, other.doc);
      other.doc = Automerge.merge(other.doc, one.doc);
    },
  };
}

interface Holder {
  doc: Automerge.Doc<Content>;
}

function bind(holder: Holder): RichText {
  const change = (make: (draft: Content) => void) => {
    holder.doc = Automerge.change(holder.doc, make);
  };
  return {
    insert: (position, typed) => change((draft) => Automerge.splice(draft, PATH, position, 0, typed)),
    format: (start, end, name, value) =>
      change((draft) =>
        Automerge.mark(draft, PATH, { start, end, expand: EXPAND[name] }, name, value as Automerge.MarkValue),
      ),
    unformat: (start, end, name) =>
      change((draft) => Automerge.unmark(draft, PATH, { start, end, expand: EXPAND[name] }, name)),
    spans: () =>
      Automerge.spans(holder.doc, PATH).map((span) => {
        if (span.type !== 'text') throw new Error(`a text without blocks has a span of type ${span.type}`);
        return { text: span.value, formats: span.marks ?? {} };
      }),
  };
}

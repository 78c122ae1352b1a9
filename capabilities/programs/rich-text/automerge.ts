import * as Automerge from '@automerge/automerge';
import type { Program } from '../outcome.ts';
import { type Holder, pair } from '../pairs/automerge.ts';
import { type Format, keepsIntent, type RichText } from './rich-text.ts';

const PATH = ['text'];
/** Each mark names the edges of its format that grow. */
const EXPAND: Record<Format, 'after' | 'none'> = { bold: 'after', italic: 'after', link: 'none' };

export const program: Program = (capability) => keepsIntent(capability, (text) => pair({ text }, bind));

function bind(holder: Holder<{ text: string }>): RichText {
  return {
    insert: (position, typed) => holder.change((draft) => Automerge.splice(draft, PATH, position, 0, typed)),
    format: (start, end, name, value) =>
      holder.change((draft) =>
        Automerge.mark(draft, PATH, { start, end, expand: EXPAND[name] }, name, value as Automerge.MarkValue),
      ),
    unformat: (start, end, name) =>
      holder.change((draft) => Automerge.unmark(draft, PATH, { start, end, expand: EXPAND[name] }, name)),
    spans: () =>
      Automerge.spans(holder.doc, PATH).map((span) => {
        if (span.type !== 'text') throw new Error(`a text without blocks has a span of type ${span.type}`);
        return { text: span.value, formats: span.marks ?? {} };
      }),
  };
}

import type * as Y from 'yjs';
import type { Program } from '../outcome.ts';
import { pair } from '../pairs/yjs.ts';
import { keepsIntent, type RichText } from './rich-text.ts';

export const program: Program = (capability) =>
  keepsIntent(capability, (text) => pair((doc) => doc.getText('text').insert(0, text), bind));

function bind(doc: Y.Doc): RichText {
  const text = doc.getText('text');
  return {
    insert: (position, typed) => text.insert(position, typed),
    insertWith: (position, typed, formats) => text.insert(position, typed, formats),
    format: (start, end, name, value) => text.format(start, end - start, { [name]: value }),
    unformat: (start, end, name) => text.format(start, end - start, { [name]: null }),
    spans: () =>
      (text.toDelta() as { insert: string; attributes?: Record<string, unknown> }[]).map(
        ({ insert, attributes = {} }) => ({ text: insert, formats: attributes }),
      ),
  };
}

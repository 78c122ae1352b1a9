import type { LoroDoc } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { pair } from '../pairs/loro.ts';
import { keepsIntent, type RichText } from './rich-text.ts';

export const program: Program = (capability) =>
  keepsIntent(capability, (text) => pair((doc) => doc.getText('text').insert(0, text), bind));

function bind(doc: LoroDoc): RichText {
  doc.configTextStyle({ bold: { expand: 'after' }, italic: { expand: 'after' }, link: { expand: 'none' } });
  const text = doc.getText('text');
  return {
    insert: (position, typed) => text.insert(position, typed),
    format: (start, end, name, value) => text.mark({ start, end }, name, value),
    unformat: (start, end, name) => text.unmark({ start, end }, name),
    spans: () =>
      text.toDelta().map(({ insert, attributes = {} }) => ({ text: insert as string, formats: { ...attributes } })),
  };
}

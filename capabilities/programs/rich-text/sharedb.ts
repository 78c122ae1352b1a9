/** With the type for rich text, `rich-text`: its operations are Quill's deltas. */
import richText from 'rich-text';
import ShareDB from 'sharedb';
import { canonicalDelta } from '../../../editors/base/delta.ts';
import { toDelta } from '../../../editors/sharedb/document.ts';
import type { Program } from '../outcome.ts';
import { type Client, pair } from '../sharedb/server.ts';
import { keepsIntent, type RichText } from './rich-text.ts';

export const program: Program = (capability) => {
  ShareDB.types.register(richText.type);
  return keepsIntent(capability, (text) => pair([{ insert: text }], bind, richText.type.uri));
};

function bind({ doc }: Client): RichText {
  const submit = (position: number, operation: Record<string, unknown>) =>
    doc.submitOp([...(position > 0 ? [{ retain: position }] : []), operation]);
  return {
    insert: (position, typed) => submit(position, { insert: typed }),
    insertWith: (position, typed, formats) => submit(position, { insert: typed, attributes: formats }),
    format: (start, end, name, value) => submit(start, { retain: end - start, attributes: { [name]: value } }),
    unformat: (start, end, name) => submit(start, { retain: end - start, attributes: { [name]: null } }),
    spans: () =>
      canonicalDelta(toDelta(doc.data)).ops.map(({ insert, attributes = {} }) => ({
        text: insert as string,
        formats: attributes,
      })),
  };
}

/** With the type for rich text, `rich-text`: its operations are Quill's deltas. */
import richText from 'rich-text';
import ShareDB from 'sharedb';
import { canonicalDelta } from '../../../editors/base/delta.ts';
import { toDelta } from '../../../editors/sharedb/document.ts';
import type { Program } from '../outcome.ts';
import { type Client, serveDocument, settled } from '../sharedb/server.ts';
import { keepsIntent, type RichText, type Stage } from './rich-text.ts';

export const program: Program = (capability) => {
  ShareDB.types.register(richText.type);
  return keepsIntent(capability, open);
};

async function open(text: string): Promise<Stage> {
  const server = await serveDocument([{ insert: text }], richText.type.uri);
  const [one, other] = [await server.join(), await server.join()];
  // Until the next exchange nothing goes out, so what both do is done at once; the first to go out is the first's.
  one.doc.pause();
  other.doc.pause();
  return {
    replicas: [bind(one), bind(other)],
    async exchange() {
      for (const { doc } of [one, other]) {
        doc.resume();
        await settled({ doc });
        doc.pause();
      }
      await settled(one, other);
    },
    close: () => server.close(),
  };
}

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

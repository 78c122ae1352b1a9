import * as Y from 'yjs';
import type { Program } from '../outcome.ts';
import { keepsIntent, type RichText, type Stage } from './rich-text.ts';

export const program: Program = (capability) => keepsIntent(capability, open);

function open(text: string): Stage {
  const seed = new Y.Doc();
  seed.getText('text').insert(0, text);
  const [one, other] = [1, 2].map((clientId) => {
    const doc = new Y.Doc();
    doc.clientID = clientId;
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(seed));
    return doc;
  }) as [Y.Doc, Y.Doc];
  return {
    replicas: [bind(one.getText('text')), bind(other.getText('text'))],
    exchange() {
      const forOther = Y.encodeStateAsUpdate(one, Y.encodeStateVector(other));
      Y.applyUpdate(one, Y.encodeStateAsUpdate(other, Y.encodeStateVector(one)));
      Y.applyUpdate(other, forOther);
    },
  };
}

function bind(text: Y.Text): RichText {
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

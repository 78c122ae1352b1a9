import { LoroDoc } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { keepsIntent, type RichText, type Stage } from './rich-text.ts';

export const program: Program = (capability) => keepsIntent(capability, open);

function open(text: string): Stage {
  const seed = new LoroDoc();
  seed.setPeerId(99n);
  seed.getText('text').insert(0, text);
  const saved = seed.export({ mode: 'snapshot' });
  const [one, other] = [1n, 2n].map((peer) => {
    const doc = new LoroDoc();
    doc.setPeerId(peer);
    doc.configTextStyle({ bold: { expand: 'after' }, italic: { expand: 'after' }, link: { expand: 'none' } });
    doc.import(saved);
    return doc;
  }) as [LoroDoc, LoroDoc];
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      const forOther = one.export({ mode: 'update', from: other.version() });
      one.import(other.export({ mode: 'update', from: one.version() }));
      other.import(forOther);
    },
  };
}

function bind(doc: LoroDoc): RichText {
  const text = doc.getText('text');
  return {
    insert: (position, typed) => text.insert(position, typed),
    format: (start, end, name, value) => text.mark({ start, end }, name, value),
    unformat: (start, end, name) => text.unmark({ start, end }, name),
    spans: () =>
      text.toDelta().map(({ insert, attributes = {} }) => ({ text: insert as string, formats: { ...attributes } })),
  };
}

/** ShareDB's rich-text: a Quill delta, composed with each edit. What ShareDB adds is a server, which this leaves out. */
import Delta from 'quill-delta';
import richText from 'rich-text';
import type { Engine, EngineDocument } from './engine.ts';

export const engine: Engine = {
  about: {
    package: 'rich-text',
    algorithm: 'operational transformation',
    licence: 'MIT',
    kind: 'library',
    merges: false,
  },
  open: () => bind(new Delta()),
  load: (saved) => bind(new Delta(JSON.parse(new TextDecoder().decode(saved)))),
};

const { type } = richText;

function bind(opened: Delta): EngineDocument {
  let document = opened;
  let last = new Delta();
  const edit = (position: number, deleted: number, inserted: string) => {
    last = new Delta().retain(position).insert(inserted).delete(deleted);
    document = type.apply(document, last);
  };
  return {
    edit,
    text: () => document.ops.map(({ insert }) => insert).join(''),
    takeUpdate: () => new TextEncoder().encode(JSON.stringify(last.ops)),
    // Others' edits come in the order of one server, against the state of this replica: there is nothing to transform.
    receive(received) {
      for (const update of received) {
        document = type.apply(document, new Delta(JSON.parse(new TextDecoder().decode(update))));
      }
    },
    save: () => [{ name: 'JSON', history: false, bytes: new TextEncoder().encode(JSON.stringify(document.ops)) }],
  };
}

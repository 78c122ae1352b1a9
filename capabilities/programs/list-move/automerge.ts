/** A list of Automerge cannot move: what is left is to delete an item and insert it anew. */
import * as Automerge from '@automerge/automerge';
import { notOffered, type Program } from '../outcome.ts';
import { type MovableList, type MoveStage, movesItems } from './list-move.ts';

interface Content extends Record<string, unknown> {
  items: string[];
}

interface Holder {
  doc: Automerge.Doc<Content>;
}

export const program: Program = async () => {
  const anew = await movesItems(open);
  if (anew.mark === 'yes') return anew;
  return notOffered(
    `looked for move among what the package exports, beside insertAt and deleteAt; deleting and inserting anew: ${anew.why}`,
    [
      [Automerge, 'move'],
      [Automerge, 'moveAt'],
    ],
  );
};

function open(items: readonly string[]): MoveStage {
  const one: Holder = { doc: Automerge.from<Content>({ items: [...items] }, { actor: '01' }) };
  const other: Holder = { doc: Automerge.clone(one.doc, { actor: '02' }) };
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      one.doc = Automerge.merge(one.doc, other.doc);
      other.doc = Automerge.merge(other.doc, one.doc);
    },
  };
}

function bind(holder: Holder): MovableList {
  return {
    move(from, to) {
      holder.doc = Automerge.change(holder.doc, ({ items }) => {
        const item = items[from]!;
        items.splice(from, 1);
        items.splice(to, 0, item);
      });
    },
    items: () => Automerge.toJS(holder.doc).items,
  };
}

/** A list of Automerge cannot move an item; an application deletes it and inserts it anew. */
import * as Automerge from '@automerge/automerge';
import { notOffered, type Program } from '../outcome.ts';
import { type Holder, pair } from '../pairs/automerge.ts';
import { type MovableList, movesItems } from './list-move.ts';

export const program: Program = async () => {
  const anew = await movesItems((items) => pair({ items: [...items] }, bind));
  if (anew.mark === 'yes') return anew;
  return notOffered(
    `looked for move among what the package exports, beside insertAt and deleteAt; deleting and inserting anew: ${anew.why}`,
    [
      [Automerge, 'move'],
      [Automerge, 'moveAt'],
    ],
  );
};

function bind(holder: Holder<{ items: string[] }>): MovableList {
  return {
    move: (from, to) =>
      holder.change(({ items }) => {
        const item = items[from]!;
        items.splice(from, 1);
        items.splice(to, 0, item);
      }),
    items: () => Automerge.toJS(holder.doc).items,
  };
}

/** An array of Yjs cannot move an item; an application deletes it and inserts it anew. */
import * as Y from 'yjs';
import { notOffered, type Program } from '../outcome.ts';
import { pair } from '../pairs/yjs.ts';
import { type MovableList, movesItems } from './list-move.ts';

export const program: Program = async () => {
  const anew = await movesItems((items) => pair((doc) => doc.getArray('items').insert(0, [...items]), bind));
  if (anew.mark === 'yes') return anew;
  return notOffered(`looked for move on Y.Array; deleting and inserting anew: ${anew.why}`, [
    [Y.Array.prototype, 'move'],
    [Y.Array.prototype, 'moveTo'],
  ]);
};

function bind(doc: Y.Doc): MovableList {
  const list = doc.getArray<string>('items');
  return {
    move: (from, to) =>
      doc.transact(() => {
        const item = list.get(from);
        list.delete(from);
        list.insert(to, [item]);
      }),
    items: () => list.toArray(),
  };
}

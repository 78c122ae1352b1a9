/** An array of json-joy cannot move an item; an application deletes it and inserts it anew. */
import { ArrApi, s } from 'json-joy/lib/json-crdt/index.js';
import { notOffered, type Program } from '../outcome.ts';
import { type Holder, modelOf, pair } from '../pairs/json-joy.ts';
import { type MovableList, movesItems } from './list-move.ts';

export const program: Program = async () => {
  const anew = await movesItems((items) => pair(modelOf({ items: [...items] }), bind));
  if (anew.mark === 'yes') return anew;
  return notOffered(`looked for move and mov on ArrApi; deleting and inserting anew: ${anew.why}`, [
    [ArrApi.prototype, 'move'],
    [ArrApi.prototype, 'mov'],
  ]);
};

function bind({ model, unsent }: Holder): MovableList {
  const items = () => (model.view() as { items: string[] }).items;
  return {
    move(from, to) {
      const item = items()[from]!;
      const list = model.api.arr(['items']);
      list.del(from, 1);
      list.ins(to, [s.con(item)]);
      unsent.push(model.api.flush());
    },
    items: () => [...items()],
  };
}

/** An array of json-joy cannot move: what is left is to delete an item and insert it anew. */
import { ArrApi, Model, s } from 'json-joy/lib/json-crdt/index.js';
import type { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import { FIRST_SESSION } from '../json-joy/sessions.ts';
import { notOffered, type Program } from '../outcome.ts';
import { type MovableList, type MoveStage, movesItems } from './list-move.ts';

export const program: Program = async () => {
  const anew = await movesItems(open);
  if (anew.mark === 'yes') return anew;
  return notOffered(`looked for move and mov on ArrApi; deleting and inserting anew: ${anew.why}`, [
    [ArrApi.prototype, 'move'],
    [ArrApi.prototype, 'mov'],
  ]);
};

interface Replica {
  model: Model;
  unsent: Patch[];
}

function open(items: readonly string[]): MoveStage {
  const seed = Model.create(undefined, FIRST_SESSION);
  seed.api.set({ items: [...items] });
  seed.api.flush();
  const [one, other] = [1, 2].map((replica) => ({
    model: Model.load(seed.toBinary(), FIRST_SESSION + replica),
    unsent: [],
  })) as unknown as [Replica, Replica];
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      const [forOther, forOne] = [one.unsent.splice(0), other.unsent.splice(0)];
      one.model.applyBatch(forOne);
      other.model.applyBatch(forOther);
    },
  };
}

function bind({ model, unsent }: Replica): MovableList {
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

import { Model, s } from 'json-joy/lib/json-crdt/index.js';
import type { Patch } from 'json-joy/lib/json-crdt-patch/index.js';
import { FIRST_SESSION } from '../json-joy/sessions.ts';
import type { Program } from '../outcome.ts';
import { type Board, type Item, type NestedStage, nestsData } from './nested-data.ts';

export const program: Program = () => nestsData(open);

interface Replica {
  model: Model;
  unsent: Patch[];
}

function open(items: readonly Item[]): NestedStage {
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

function bind({ model, unsent }: Replica): Board {
  const change = (make: () => void) => {
    make();
    unsent.push(model.api.flush());
  };
  return {
    insert: (index, item) => change(() => model.api.arr(['items']).ins(index, [item])),
    // As a constant: a string would be a text that others edit.
    set: (index, key, value) => change(() => model.api.obj(['items', index]).set({ [key]: s.con(value) })),
    items: () => (model.view() as { items: Item[] }).items.map(({ title, done }) => ({ title, done })),
  };
}

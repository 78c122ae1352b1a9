import { s } from 'json-joy/lib/json-crdt/index.js';
import type { Program } from '../outcome.ts';
import { type Holder, modelOf, pair } from '../pairs/json-joy.ts';
import { type Board, type Item, nestsData } from './nested-data.ts';

export const program: Program = () => nestsData((items) => pair(modelOf({ items: [...items] }), bind));

function bind({ model, unsent }: Holder): Board {
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

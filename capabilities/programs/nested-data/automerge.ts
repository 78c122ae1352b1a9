import * as Automerge from '@automerge/automerge';
import type { Program } from '../outcome.ts';
import { type Holder, pair } from '../pairs/automerge.ts';
import { type Board, type Item, nestsData } from './nested-data.ts';

export const program: Program = () => nestsData((items) => pair({ items: [...items] }, bind));

function bind(holder: Holder<{ items: Item[] }>): Board {
  return {
    insert: (index, item) =>
      holder.change(({ items }) => {
        items.splice(index, 0, item);
      }),
    set: (index, key, value) =>
      holder.change(({ items }) => {
        items[index]![key] = value;
      }),
    items: () => Automerge.toJS(holder.doc).items.map(({ title, done }) => ({ title, done })),
  };
}

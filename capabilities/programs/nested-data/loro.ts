import { type LoroDoc, LoroList, LoroMap, type Value } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { pair } from '../pairs/loro.ts';
import { type Board, type Item, nestsData } from './nested-data.ts';

export const program: Program = () =>
  nestsData((items) =>
    pair((doc) => {
      const list = doc.getMap('root').setContainer('items', new LoroList());
      for (const [index, item] of items.entries()) insertMap(list, index, item);
    }, bind),
  );

function insertMap(list: LoroList, index: number, item: Item): void {
  const map = list.insertContainer(index, new LoroMap());
  for (const [key, value] of Object.entries(item)) map.set(key, value);
}

function bind(doc: LoroDoc): Board {
  const list = doc.getMap('root').get('items') as LoroList;
  return {
    insert: (index, item) => insertMap(list, index, item),
    set: (index, key, value) => (list.get(index) as LoroMap).set(key, value as Exclude<Value, undefined>),
    items: () => (list.toJSON() as Item[]).map(({ title, done }) => ({ title, done })),
  };
}

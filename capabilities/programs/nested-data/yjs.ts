import * as Y from 'yjs';
import type { Program } from '../outcome.ts';
import { pair } from '../pairs/yjs.ts';
import { type Board, type Item, nestsData } from './nested-data.ts';

export const program: Program = () =>
  nestsData((items) => pair((doc) => doc.getMap('root').set('items', Y.Array.from(items.map(toMap))), bind));

function toMap(item: Item): Y.Map<unknown> {
  return new Y.Map(Object.entries(item));
}

function bind(doc: Y.Doc): Board {
  const list = doc.getMap('root').get('items') as Y.Array<Y.Map<unknown>>;
  return {
    insert: (index, item) => list.insert(index, [toMap(item)]),
    set: (index, key, value) => list.get(index).set(key, value),
    items: () => list.toJSON().map(({ title, done }: Item) => ({ title, done })),
  };
}

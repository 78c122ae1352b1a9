import { LoroDoc, LoroList, LoroMap, type Value } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { type Board, type Item, type NestedStage, nestsData } from './nested-data.ts';

export const program: Program = () => nestsData(open);

function open(items: readonly Item[]): NestedStage {
  const [one, other] = [new LoroDoc(), new LoroDoc()];
  const list = one.getMap('root').setContainer('items', new LoroList());
  for (const [index, item] of items.entries()) insertMap(list, index, item);
  other.import(one.export({ mode: 'snapshot' }));
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      one.import(other.export({ mode: 'update', from: one.version() }));
      other.import(one.export({ mode: 'update', from: other.version() }));
    },
  };
}

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

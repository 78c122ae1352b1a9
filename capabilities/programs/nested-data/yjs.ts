import * as Y from 'yjs';
import type { Program } from '../outcome.ts';
import { type Board, type Item, type NestedStage, nestsData } from './nested-data.ts';

export const program: Program = () => nestsData(open);

function open(items: readonly Item[]): NestedStage {
  const [one, other] = [new Y.Doc(), new Y.Doc()];
  one.getMap('root').set('items', Y.Array.from(items.map(toMap)));
  Y.applyUpdate(other, Y.encodeStateAsUpdate(one));
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      Y.applyUpdate(one, Y.encodeStateAsUpdate(other));
      Y.applyUpdate(other, Y.encodeStateAsUpdate(one));
    },
  };
}

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

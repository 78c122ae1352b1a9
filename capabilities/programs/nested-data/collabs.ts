import { CList, CMap, CRuntime, CValueMap } from '@collabs/collabs';
import type { Program } from '../outcome.ts';
import { type Board, type Item, type NestedStage, nestsData } from './nested-data.ts';

export const program: Program = () => nestsData(open);

function create() {
  const runtime = new CRuntime();
  const root = runtime.registerCollab(
    'root',
    (init) =>
      new CMap<string, CList<CValueMap<string, unknown>, []>, []>(
        init,
        (listInit) => new CList(listInit, (mapInit) => new CValueMap<string, unknown>(mapInit)),
      ),
  );
  const unsent: Uint8Array[] = [];
  runtime.on('Send', ({ message }) => unsent.push(message));
  return { runtime, root, unsent };
}

type Replica = ReturnType<typeof create>;

function open(items: readonly Item[]): NestedStage {
  const [one, other] = [create(), create()];
  one.runtime.transact(() => {
    one.root.set('items');
    for (const [index, item] of items.entries()) insertMap(one, index, item);
  });
  const exchange = () => {
    const [forOther, forOne] = [one.unsent.splice(0), other.unsent.splice(0)];
    for (const message of forOne) one.runtime.receive(message);
    for (const message of forOther) other.runtime.receive(message);
  };
  exchange();
  return { replicas: [bind(one), bind(other)], exchange };
}

function insertMap({ root }: Replica, index: number, item: Item): void {
  const map = root.get('items')!.insert(index);
  for (const [key, value] of Object.entries(item)) map.set(key, value);
}

function bind(replica: Replica): Board {
  const { runtime, root } = replica;
  return {
    insert: (index, item) => runtime.transact(() => insertMap(replica, index, item)),
    set: (index, key, value) =>
      runtime.transact(() => {
        root.get('items')!.get(index).set(key, value);
      }),
    items: () =>
      [...root.get('items')!.values()].map((map) => ({
        title: map.get('title') as string,
        done: map.get('done') as boolean,
      })),
  };
}

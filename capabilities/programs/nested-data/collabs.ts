import { CList, CMap, type CRuntime, CValueMap } from '@collabs/collabs';
import type { Program } from '../outcome.ts';
import { type Holder, pair } from '../pairs/collabs.ts';
import { type Board, type Item, nestsData } from './nested-data.ts';

type Root = ReturnType<typeof register>;

export const program: Program = () =>
  nestsData((items) =>
    pair({
      register,
      begin(root) {
        root.set('items');
        for (const [index, item] of items.entries()) insertMap(root, index, item);
      },
      bind,
    }),
  );

function register(runtime: CRuntime) {
  return runtime.registerCollab(
    'root',
    (init) =>
      new CMap<string, CList<CValueMap<string, unknown>, []>, []>(
        init,
        (listInit) => new CList(listInit, (mapInit) => new CValueMap<string, unknown>(mapInit)),
      ),
  );
}

function insertMap(root: Root, index: number, item: Item): void {
  const map = root.get('items')!.insert(index);
  for (const [key, value] of Object.entries(item)) map.set(key, value);
}

function bind({ runtime, content: root }: Holder<Root>): Board {
  return {
    insert: (index, item) => runtime.transact(() => insertMap(root, index, item)),
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

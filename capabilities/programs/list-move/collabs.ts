import { CList, type CRuntime, CVar } from '@collabs/collabs';
import type { Program } from '../outcome.ts';
import { type Holder, pair } from '../pairs/collabs.ts';
import { type MovableList, movesItems } from './list-move.ts';

export const program: Program = () =>
  movesItems((items) =>
    pair({
      register,
      begin(list) {
        for (const item of items) list.push(item);
      },
      bind,
    }),
  );

function register(runtime: CRuntime) {
  return runtime.registerCollab(
    'items',
    (init) => new CList<CVar<string>, [string]>(init, (itemInit, item) => new CVar(itemInit, item)),
  );
}

function bind({ runtime, content: list }: Holder<ReturnType<typeof register>>): MovableList {
  return {
    move: (from, to) =>
      runtime.transact(() => {
        // It counts the place with the item still where it was.
        list.move(from, to > from ? to + 1 : to);
      }),
    items: () => [...list.values()].map(({ value }) => value),
  };
}

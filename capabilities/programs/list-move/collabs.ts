import { CList, CRuntime, CVar } from '@collabs/collabs';
import type { Program } from '../outcome.ts';
import { type MovableList, type MoveStage, movesItems } from './list-move.ts';

export const program: Program = () => movesItems(open);

function create() {
  const runtime = new CRuntime();
  const list = runtime.registerCollab(
    'items',
    (init) => new CList<CVar<string>, [string]>(init, (itemInit, item) => new CVar(itemInit, item)),
  );
  const unsent: Uint8Array[] = [];
  runtime.on('Send', ({ message }) => unsent.push(message));
  return { runtime, list, unsent };
}

function open(items: readonly string[]): MoveStage {
  const [one, other] = [create(), create()];
  one.runtime.transact(() => {
    for (const item of items) one.list.push(item);
  });
  const exchange = () => {
    const [forOther, forOne] = [one.unsent.splice(0), other.unsent.splice(0)];
    for (const message of forOne) one.runtime.receive(message);
    for (const message of forOther) other.runtime.receive(message);
  };
  exchange();
  return { replicas: [bind(one), bind(other)], exchange };
}

function bind({ runtime, list }: ReturnType<typeof create>): MovableList {
  return {
    move: (from, to) =>
      runtime.transact(() => {
        // It counts the place with the item still where it was.
        list.move(from, to > from ? to + 1 : to);
      }),
    items: () => [...list.values()].map(({ value }) => value),
  };
}

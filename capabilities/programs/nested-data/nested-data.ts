/** A map in a list in a map, and two users who change it at once. */
import { isDeepStrictEqual } from 'node:util';
import { judge, type Outcome } from '../outcome.ts';
import type { Stage } from '../stage.ts';

/** An item of the list. */
export interface Item {
  title: string;
  done: boolean;
}

export interface Board {
  /** In the root map, under `items`. */
  insert(index: number, item: Item): void;
  set<Key extends keyof Item>(index: number, key: Key, value: Item[Key]): void;
  items(): Item[];
}

export async function nestsData(
  open: (items: readonly Item[]) => Stage<Board> | Promise<Stage<Board>>,
): Promise<Outcome> {
  const stage = await open([
    { title: 'first', done: false },
    { title: 'second', done: false },
  ]);
  const [one, other] = stage.replicas;
  one.set(0, 'title', 'renamed');
  other.set(0, 'done', true);
  other.insert(0, { title: 'new', done: false });
  await stage.exchange();
  const merged = [one.items(), other.items()];
  one.set(2, 'title', 'by one');
  other.set(2, 'title', 'by the other');
  await stage.exchange();
  const inConflict = [one.items(), other.items()];
  await stage.close?.();
  const wanted: Item[] = [
    { title: 'new', done: false },
    { title: 'renamed', done: true },
    { title: 'second', done: false },
  ];
  const isOneOfBoth = ['by one', 'by the other'].includes(inConflict[0]![2]?.title ?? '');
  return judge([
    {
      holds: isDeepStrictEqual(merged[0], merged[1]) && isDeepStrictEqual(inConflict[0], inConflict[1]),
      otherwise: 'replicas end apart',
      isEssential: true,
    },
    {
      holds: isDeepStrictEqual(merged[0], wanted),
      otherwise: `what two did at once gives ${JSON.stringify(merged[0])}`,
    },
    { holds: isOneOfBoth, otherwise: `two values at once give ${JSON.stringify(inConflict[0])}` },
  ]);
}

/** Structured data: a map in a list in a map, items that move in a list, and a part of a document. */
import { isDeepStrictEqual } from 'node:util';
import { judge, notOffered, type Outcome, type Stage } from './outcome.ts';

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

/** Two users change a map in a list in a map at once. */
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

export interface MovableList {
  /** @param to where it stands afterwards */
  move(from: number, to: number): void;
  items(): string[];
}

const ITEMS = ['a', 'b', 'c', 'd', 'e'];

type OpenLists = (items: readonly string[]) => Stage<MovableList> | Promise<Stage<MovableList>>;

/** Two move the same item at once. Played twice, the roles exchanged. */
export async function movesItems(open: OpenLists): Promise<Outcome> {
  const ends = [await play(open, false), await play(open, true)];
  const apart = ends.find(([one, other]) => one !== other);
  const orders = ends.map(([order]) => order);
  const notWhole = orders.find((order) => [...order].sort().join('') !== ITEMS.join(''));
  const odd = orders.find((order) => !isSomebodys(order));
  return judge([
    { holds: apart === undefined, otherwise: `replicas end apart: ${apart?.join(' and ')}`, isEssential: true },
    {
      holds: notWhole === undefined,
      otherwise: `"${ITEMS.join('')}" with its "a" moved by two at once is "${notWhole}"`,
      isEssential: true,
    },
    { holds: odd === undefined, otherwise: `nobody’s moves give the order "${odd}"` },
  ]);
}

/**
 * Moves of a library without a move: it deletes an item and inserts it anew.
 *
 * @param options.why   of the mark, after what came of deleting and inserting
 * @param options.owner the object that would have the names
 */
export async function movesAnew(options: {
  open: OpenLists;
  why(anew: string): string;
  owner: object;
  names: readonly string[];
}): Promise<Outcome> {
  const { open, why, owner, names } = options;
  const anew = await movesItems(open);
  return anew.mark === 'yes' ? anew : notOffered(why(anew.why!), [owner], names);
}

async function play(open: OpenLists, isExchanged: boolean): Promise<[string, string]> {
  const { replicas, exchange, close } = await open(ITEMS);
  const [one, other] = isExchanged ? [replicas[1], replicas[0]] : replicas;
  one.move(0, 4);
  other.move(0, 2);
  other.move(4, 0);
  await exchange();
  const ends: [string, string] = [one.items().join(''), other.items().join('')];
  await close?.();
  return ends;
}

/** "e" is first; "a" is last by the one’s move, and follows "c" by the other’s. */
function isSomebodys(order: string): boolean {
  const before = order[order.indexOf('a') - 1];
  return order.startsWith('e') && (before === 'd' || before === 'c');
}

/**
 * A reader of one of two parts.
 *
 * @param seen.loaded the part at first
 * @param seen.edited the whole after the reader edited the part
 * @param seen.after  the part after an edit of the other one
 * @param one         the key of the part that is read
 * @param two         the other's key
 */
export function judgePart(
  { loaded, edited, after }: Record<'loaded' | 'edited' | 'after', unknown>,
  one: string,
  two: string,
): Outcome {
  return judge([
    { holds: isDeepStrictEqual(loaded, { [one]: 'part one' }), otherwise: `the part is ${JSON.stringify(loaded)}` },
    {
      holds: isDeepStrictEqual(edited, { [one]: 'edited part one', [two]: 'part two' }),
      otherwise: `after an edit of the part the whole is ${JSON.stringify(edited)}`,
    },
    {
      holds: isDeepStrictEqual(after, { [one]: 'edited part one' }),
      otherwise: `after an edit elsewhere the part is ${JSON.stringify(after)}`,
    },
  ]);
}

/** Items that are moved in a list, the same one by two at once. */
import { judge, type Outcome } from '../outcome.ts';
import type { Stage } from '../stage.ts';

export interface MovableList {
  /** @param to where it stands afterwards */
  move(from: number, to: number): void;
  items(): string[];
}

const ITEMS = ['a', 'b', 'c', 'd', 'e'];

type OpenLists = (items: readonly string[]) => Stage<MovableList> | Promise<Stage<MovableList>>;

/** Played twice, the roles exchanged. */
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

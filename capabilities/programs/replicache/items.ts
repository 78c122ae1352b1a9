/**
 * Lists, of which Replicache has none: as an application makes them of values and mutators. Either the list is one value, and
 * mutators name places in it; or each item has a key of its own, and a number beside it says where it stands.
 */
import type { Json, WriteTransaction } from 'replicache';
import type { Stage } from '../outcome.ts';
import { type Client, entriesOf, pair } from './server.ts';

export interface List<Item> {
  insert(index: number, item: Item): void;
  set<Key extends keyof Item>(index: number, key: Key, value: Item[Key]): void;
  items(): Item[];
}

export interface MovableList<Item> extends List<Item> {
  move(from: number, to: number): void;
}

export interface Entry<Item> {
  order: number;
  item: Item;
}

const LIST = 'list';

/** Mutators of a list that is one value. */
const PLACES = {
  async insert(tx: WriteTransaction, { index, item }: { index: number; item: Json }) {
    await tx.set(LIST, (await listOf(tx)).toSpliced(index, 0, item));
  },
  async change(tx: WriteTransaction, { index, change }: { index: number; change: object }) {
    const list = await listOf(tx);
    await tx.set(LIST, list.with(index, { ...(list[index] as object), ...change }));
  },
  async move(tx: WriteTransaction, { from, to }: { from: number; to: number }) {
    const list = await listOf(tx);
    await tx.set(LIST, list.toSpliced(from, 1).toSpliced(to, 0, list[from]!));
  },
};

async function listOf(tx: WriteTransaction): Promise<readonly Json[]> {
  return (await tx.get(LIST)) as readonly Json[];
}

/** Mutators of items with a key each. */
export const ENTRIES = {
  async put(tx: WriteTransaction, { key, entry }: { key: string; entry: Entry<Json> }) {
    await tx.set(key, { ...entry });
  },
  async change(tx: WriteTransaction, { key, change }: { key: string; change: object }) {
    const entry = (await tx.get(key)) as unknown as Entry<object>;
    await tx.set(key, { ...entry, item: { ...entry.item, ...change } });
  },
  async remove(tx: WriteTransaction, { key }: { key: string }) {
    await tx.del(key);
  },
};

/** The first entries of a server of `ENTRIES`. */
export function asEntries(items: readonly unknown[]): Record<string, Json> {
  return Object.fromEntries(items.map((item, order) => [`begin/${order}`, { order, item } as Json]));
}

/** In their order. */
export function sorted<Item>(entries: ReadonlyMap<string, Json>): [key: string, entry: Entry<Item>][] {
  const all = [...entries] as unknown as [string, Entry<Item>][];
  return all.sort(([, one], [, other]) => one.order - other.order);
}

/** A new key, and a number for what shall stand at that place among them. */
export function entryAt<Item>(index: number, among: readonly [key: string, entry: Entry<unknown>][], item: Item) {
  const [before, after] = [among[index - 1]?.[1].order, among[index]?.[1].order];
  const order = ((before ?? (after ?? 0) - 2) + (after ?? (before ?? 0) + 2)) / 2;
  return { key: crypto.randomUUID() as string, entry: { order, item: item as Json } };
}

/** @param isReversed true if the second client's changes reach the server first */
export function openAsValue<Item>(items: readonly Item[], isReversed: boolean): Promise<Stage<MovableList<Item>>> {
  const bind = (client: Client<typeof PLACES>): MovableList<Item> => {
    const { later, replicache } = client;
    return {
      insert: (index, item) => later(() => replicache.mutate.insert({ index, item: item as Json })),
      set: (index, key, value) => later(() => replicache.mutate.change({ index, change: { [key]: value } })),
      move: (from, to) => later(() => replicache.mutate.move({ from, to })),
      items: () => client.entries.get(LIST) as Item[],
    };
  };
  return pair({ [LIST]: items as Json }, PLACES, bind, isReversed);
}

/** @param isReversed as above */
export function openAsEntries<Item>(items: readonly Item[], isReversed: boolean): Promise<Stage<List<Item>>> {
  const bind = (client: Client<typeof ENTRIES>): List<Item> => {
    const { later, replicache } = client;
    const now = async () => sorted<Item>(await entriesOf(replicache));
    return {
      insert: (index, item) => later(async () => replicache.mutate.put(entryAt(index, await now(), item))),
      set: (index, key, value) =>
        later(async () => replicache.mutate.change({ key: (await now())[index]![0], change: { [key]: value } })),
      items: () => sorted<Item>(client.entries).map(([, { item }]) => item),
    };
  };
  return pair(asEntries(items), ENTRIES, bind, isReversed);
}

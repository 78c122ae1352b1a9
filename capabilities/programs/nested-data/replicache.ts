/** Values nest, and a mutator changes a part of one; the server runs it again after others' mutations, in its own order. */
import { judge, type Program } from '../outcome.ts';
import { openAsEntries, openAsValue } from '../replicache/items.ts';
import { type Item, nestsData } from './nested-data.ts';

export const program: Program = async () => {
  const orders = [false, true];
  const asEntries = await Promise.all(
    orders.map((isReversed) => nestsData((items) => openAsEntries<Item>(items, isReversed))),
  );
  const failed = asEntries.find(({ mark }) => mark !== 'yes');
  if (failed !== undefined) return failed;
  const asValue = await Promise.all(
    orders.map((isReversed) => nestsData((items) => openAsValue<Item>(items, isReversed))),
  );
  const misplaced = asValue.find(({ mark }) => mark !== 'yes');
  return judge([
    {
      holds: misplaced === undefined,
      isHalf: true,
      otherwise: `only where the application gives each item of a list a key of its own, and a number for its place; of a list that is one value, mutators name places, and ${misplaced?.why}`,
    },
  ]);
};

/** Replicache has no lists. An application keeps a list as one value, in which a mutator moves the item at an index. */
import * as replicache from 'replicache';
import { notOffered, type Program } from '../outcome.ts';
import { openAsValue } from '../replicache/items.ts';
import { movesItems } from './list-move.ts';

export const program: Program = async () => {
  const asValue = await movesItems((items) => openAsValue(items, false));
  if (asValue.mark === 'yes') return asValue;
  return notOffered(
    `looked for a list and a move among what the package exports; of a list that is one value, whose mutator moves what stands in a place, ${asValue.why}`,
    ['List', 'list', 'move', 'moveItem'].map((name): [object, string] => [replicache, name]),
  );
};

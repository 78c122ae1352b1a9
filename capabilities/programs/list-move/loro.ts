import type { LoroDoc } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { pair } from '../pairs/loro.ts';
import { type MovableList, movesItems } from './list-move.ts';

export const program: Program = () =>
  movesItems((items) =>
    pair((doc) => {
      for (const item of items) doc.getMovableList('items').push(item);
    }, bind),
  );

function bind(doc: LoroDoc): MovableList {
  const list = doc.getMovableList('items');
  return { move: (from, to) => list.move(from, to), items: () => list.toJSON() };
}

/** With the list move of its JSON type. */
import type { Program } from '../outcome.ts';
import { type Client, pair } from '../sharedb/server.ts';
import { type MovableList, movesItems } from './list-move.ts';

export const program: Program = () => movesItems((items) => pair({ items }, bind));

function bind({ doc }: Client): MovableList {
  return {
    move: (from, to) => doc.submitOp([{ p: ['items', from], lm: to }]),
    items: () => [...doc.data.items],
  };
}

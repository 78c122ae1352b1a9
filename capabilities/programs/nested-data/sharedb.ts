import type { Program } from '../outcome.ts';
import { type Client, pair } from '../sharedb/server.ts';
import { type Board, type Item, nestsData } from './nested-data.ts';

export const program: Program = () => nestsData((items) => pair({ items }, bind));

function bind({ doc }: Client): Board {
  const items = () => doc.data.items as Item[];
  return {
    insert: (index, item) => doc.submitOp([{ p: ['items', index], li: item }]),
    set: (index, key, value) => doc.submitOp([{ p: ['items', index, key], od: items()[index]![key], oi: value }]),
    items: () => structuredClone(items()),
  };
}

import * as Automerge from '@automerge/automerge';
import type { Program } from '../outcome.ts';
import { type Board, type Item, type NestedStage, nestsData } from './nested-data.ts';

interface Content extends Record<string, unknown> {
  items: Item[];
}

interface Holder {
  doc: Automerge.Doc<Content>;
}

export const program: Program = () => nestsData(open);

function open(items: readonly Item[]): NestedStage {
  const one: Holder = { doc: Automerge.from<Content>({ items: [...items] }) };
  const other: Holder = { doc: Automerge.clone(one.doc) };
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      one.doc = Automerge.merge(one.doc, other.doc);
      other.doc = Automerge.merge(other.doc, one.doc);
    },
  };
}

function bind(holder: Holder): Board {
  const change = (make: (draft: Content) => void) => {
    holder.doc = Automerge.change(holder.doc, make);
  };
  return {
    insert: (index, item) =>
      change(({ items }) => {
        items.splice(index, 0, item);
      }),
    set: (index, key, value) =>
      change(({ items }) => {
        items[index]![key] = value;
      }),
    items: () => Automerge.toJS(holder.doc).items.map(({ title, done }) => ({ title, done })),
  };
}

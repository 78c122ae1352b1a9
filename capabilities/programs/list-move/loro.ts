import { LoroDoc } from 'loro-crdt';
import type { Program } from '../outcome.ts';
import { type MovableList, type MoveStage, movesItems } from './list-move.ts';

export const program: Program = () => movesItems(open);

function open(items: readonly string[]): MoveStage {
  const [one, other] = [new LoroDoc(), new LoroDoc()];
  for (const item of items) one.getMovableList('items').push(item);
  other.import(one.export({ mode: 'snapshot' }));
  return {
    replicas: [bind(one), bind(other)],
    exchange() {
      one.import(other.export({ mode: 'update', from: one.version() }));
      other.import(one.export({ mode: 'update', from: other.version() }));
    },
  };
}

function bind(doc: LoroDoc): MovableList {
  const list = doc.getMovableList('items');
  return { move: (from, to) => list.move(from, to), items: () => list.toJSON() };
}

import type { Program } from '../outcome.ts';
import { type Client, serveDocument, settled } from '../sharedb/server.ts';
import { type Board, type Item, type NestedStage, nestsData } from './nested-data.ts';

export const program: Program = () => nestsData(open);

async function open(items: readonly Item[]): Promise<NestedStage> {
  const server = await serveDocument({ items });
  const [one, other] = [await server.join(), await server.join()];
  one.doc.pause();
  other.doc.pause();
  return {
    replicas: [bind(one), bind(other)],
    async exchange() {
      for (const { doc } of [one, other]) {
        doc.resume();
        await settled({ doc });
        doc.pause();
      }
      await settled(one, other);
    },
    close: () => server.close(),
  };
}

function bind({ doc }: Client): Board {
  const items = () => doc.data.items as Item[];
  return {
    insert: (index, item) => doc.submitOp([{ p: ['items', index], li: item }]),
    set: (index, key, value) => doc.submitOp([{ p: ['items', index, key], od: items()[index]![key], oi: value }]),
    items: () => structuredClone(items()),
  };
}

/** With the list move of its JSON type. */
import type { Program } from '../outcome.ts';
import { type Client, serveDocument, settled } from '../sharedb/server.ts';
import { type MovableList, type MoveStage, movesItems } from './list-move.ts';

export const program: Program = () => movesItems(open);

async function open(items: readonly string[]): Promise<MoveStage> {
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
      }
      await settled(one, other);
    },
    close: () => server.close(),
  };
}

function bind({ doc }: Client): MovableList {
  return {
    move: (from, to) => doc.submitOp([{ p: ['items', from], lm: to }]),
    items: () => [...doc.data.items],
  };
}

/** With `@rocicorp/undo`, a package of its own by the same authors. The text is of pieces that have a key each. */
import { UndoManager } from '@rocicorp/undo';
import { Replicache } from 'replicache';
import { expectThat, type Program } from '../outcome.ts';
import { asEntries, ENTRIES, entryAt, sorted } from '../replicache/items.ts';
import { type Client, entriesOf, pair } from '../replicache/server.ts';
import { type UndoableText, undoesOwn } from './undo.ts';

export const program: Program = () =>
  undoesOwn(
    (text) => pair(asEntries([text.slice(0, 3), text.slice(3)]), ENTRIES, bind),
    [
      {
        holds: 'undo' in Replicache.prototype,
        otherwise:
          'there is no undo as such: the manager in @rocicorp/undo calls functions, and what takes a change back is a mutator that the application writes',
      },
    ],
  );

type TextClient = Client<typeof ENTRIES>;

function bind(client: TextClient): UndoableText {
  const manager = new UndoManager();
  const { mutate } = client.replicache;
  return {
    insert: (position, typed) =>
      client.later(async () => {
        const piece = await pieceAt(client, position, typed);
        await manager.add({ execute: () => mutate.put(piece), undo: () => mutate.remove({ key: piece.key }) });
      }),
    undo: () => client.later(() => manager.undo()),
    redo: () => client.later(() => manager.redo()),
    text: () => textOf(client),
  };
}

async function pieceAt({ replicache }: TextClient, position: number, typed: string) {
  const pieces = sorted<string>(await entriesOf(replicache));
  const starts = [0];
  for (const [, { item }] of pieces) starts.push(starts.at(-1)! + item.length);
  const index = starts.indexOf(position);
  expectThat(index !== -1, 'nobody types within a piece');
  return entryAt(index, pieces, typed);
}

function textOf({ entries }: TextClient): string {
  return sorted<string>(entries)
    .map(([, { item }]) => item)
    .join('');
}

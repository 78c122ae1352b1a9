/** Programs of Replicache. It has no lists; `replicache/items.ts` makes them in two ways, as applications do. */
import { UndoManager } from '@rocicorp/undo';
import * as replicache from 'replicache';
import { type Item, judgePart, movesAnew, nestsData } from './data.ts';
import { expectThat, judge, type Outcome, type Programs } from './outcome.ts';
import { type UndoableText, undoesOwn } from './past.ts';
import { asEntries, ENTRIES, entryAt, openAsEntries, openAsValue, sorted } from './replicache/items.ts';
import { type Client, entriesOf, exchange, pair, serveEntries } from './replicache/server.ts';
import { triesText } from './replicache/text.ts';

export const programs: Programs = {
  text: triesText,
  undo: () =>
    undoesOwn(
      (text) => pair(asEntries([text.slice(0, 3), text.slice(3)]), ENTRIES, undoableText),
      [
        {
          holds: 'undo' in replicache.Replicache.prototype,
          otherwise:
            'there is no undo as such: the manager in @rocicorp/undo calls functions, and what takes a change back is a mutator that the application writes',
        },
      ],
    ),
  'nested-data': nestsDataInEntries,
  'list-move': () =>
    movesAnew({
      open: (items) => openAsValue(items, false),
      why: (asValue) =>
        `looked for a list and a move among what the package exports; of a list that is one value, whose mutator moves what stands in a place, ${asValue}`,
      owner: replicache,
      names: ['List', 'list', 'move', 'moveItem'],
    }),
  'partial-load': loadsByPrefix,
};

type TextClient = Client<typeof ENTRIES>;

/** With `@rocicorp/undo`, a package of its own by the same authors. The text is of pieces that have a key each. */
function undoableText(client: TextClient): UndoableText {
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
    text: () =>
      sorted<string>(client.entries)
        .map(([, { item }]) => item)
        .join(''),
  };
}

async function pieceAt(client: TextClient, position: number, typed: string) {
  const pieces = sorted<string>(await entriesOf(client.replicache));
  const starts = [0];
  for (const [, { item }] of pieces) starts.push(starts.at(-1)! + item.length);
  const index = starts.indexOf(position);
  expectThat(index !== -1, 'nobody types within a piece');
  return entryAt(index, pieces, typed);
}

/** Values nest, and a mutator changes a part of one; the server runs it again after others' mutations, in its own order. */
async function nestsDataInEntries(): Promise<Outcome> {
  const failureOf = async (open: typeof openAsEntries<Item>) => {
    const outcomes = [false, true].map((isReversed) => nestsData((items) => open(items, isReversed)));
    return (await Promise.all(outcomes)).find(({ mark }) => mark !== 'yes');
  };
  const failed = await failureOf(openAsEntries);
  if (failed !== undefined) return failed;
  const misplaced = await failureOf(openAsValue);
  return judge([
    {
      holds: misplaced === undefined,
      isHalf: true,
      otherwise: `only where the application gives each item of a list a key of its own, and a number for its place; of a list that is one value, mutators name places, and ${misplaced?.why}`,
    },
  ]);
}

const MUTATORS = {
  async prepend(tx: replicache.WriteTransaction, { key, text }: { key: string; text: string }) {
    await tx.set(key, `${text}${await tx.get(key)}`);
  },
};

/** The server decides which entries a client gets: here those with the key prefix that the client asks for. */
async function loadsByPrefix(): Promise<Outcome> {
  const server = await serveEntries({ 'one/text': 'part one', 'two/text': 'part two' }, MUTATORS);
  const [whole, part] = [await server.join(), await server.join({ part: 'one/' })];
  const loaded = Object.fromEntries(part.entries);
  await part.replicache.mutate.prepend({ key: 'one/text', text: 'edited ' });
  await exchange(part, whole);
  const edited = Object.fromEntries(whole.entries);
  await whole.replicache.mutate.prepend({ key: 'two/text', text: 'edited ' });
  await exchange(whole, part);
  const after = Object.fromEntries(part.entries);
  await server.close();
  return judgePart({ loaded, edited, after }, 'one/text', 'two/text');
}

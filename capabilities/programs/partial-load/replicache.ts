/** The server decides which entries a client gets: here those with the key prefix that the client asks for. */
import { isDeepStrictEqual } from 'node:util';
import type { WriteTransaction } from 'replicache';
import { judge, type Program } from '../outcome.ts';
import { exchange, serveEntries } from '../replicache/server.ts';

const MUTATORS = {
  async prepend(tx: WriteTransaction, { key, text }: { key: string; text: string }) {
    await tx.set(key, `${text}${await tx.get(key)}`);
  },
};

export const program: Program = async () => {
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
  return judge([
    {
      holds: isDeepStrictEqual(loaded, { 'one/text': 'part one' }),
      otherwise: `the part is ${JSON.stringify(loaded)}`,
    },
    {
      holds: isDeepStrictEqual(edited, { 'one/text': 'edited part one', 'two/text': 'part two' }),
      otherwise: `after an edit of the part the whole is ${JSON.stringify(edited)}`,
    },
    {
      holds: isDeepStrictEqual(after, { 'one/text': 'edited part one' }),
      otherwise: `after an edit elsewhere the part is ${JSON.stringify(after)}`,
    },
  ]);
};

/** The server runs the same mutators as the clients. One that puts a value in another's place can be told it enciphered. */
import { randomBytes } from 'node:crypto';
import type { Json, WriteTransaction } from 'replicache';
import { type Check, judge, type Program } from '../outcome.ts';
import { type Client, exchange, serveEntries } from '../replicache/server.ts';
import { TEXT_MUTATORS, typedInto } from '../replicache/text.ts';
import { decipher, encipher } from './relay.ts';

const PUT = {
  async put(tx: WriteTransaction, { key, value }: { key: string; value: Json }) {
    await tx.set(key, value);
  },
};

export const program: Program = async () => judge([await inClearText(), ...(await enciphered())]);

async function inClearText(): Promise<Check> {
  const server = await serveEntries({ text: 'text' }, TEXT_MUTATORS);
  const client = await server.join();
  await client.replicache.mutate.insert({ position: 0, text: 'secret ' });
  await exchange(client);
  await server.close();
  return {
    holds: !server.received.some((body) => body.includes('secret')),
    otherwise:
      'it runs the mutators, and what they are told stands in it in clear text, unless the application enciphers it',
    isHalf: true,
  };
}

async function enciphered(): Promise<Check[]> {
  const cipherKey = randomBytes(32);
  const seal = (text: string) => encipher(Buffer.from(text), cipherKey).toString('base64');
  const server = await serveEntries({ both: seal('text') }, PUT);
  const [one, other] = [await server.join(), await server.join()];
  const read = ({ entries }: Client<typeof PUT>) =>
    Object.fromEntries(
      [...entries].map(([key, value]) => [
        key,
        Buffer.from(decipher(Buffer.from(value as string, 'base64'), cipherKey)).toString(),
      ]),
    );
  const type = async (client: Client<typeof PUT>, key: string, position: number, text: string) =>
    client.replicache.mutate.put({ key, value: seal(typedInto(read(client)[key] ?? '', position, text)) });
  await type(one, 'of one', 0, 'secret');
  await type(one, 'both', 0, 'secret ');
  await type(other, 'of the other', 0, 'hidden');
  await type(other, 'both', 'text'.length, ' hidden');
  await exchange(one, other);
  const seen = [one, other, await server.join()].map(read);
  await server.close();
  const [{ both, ...apart } = {}] = seen;
  return [
    {
      holds:
        seen.every((each) => JSON.stringify(each) === JSON.stringify(seen[0])) &&
        apart['of one'] === 'secret' &&
        apart['of the other'] === 'hidden',
      otherwise: `of enciphered values, clients see ${JSON.stringify(seen)}`,
    },
    {
      holds: both === 'secret text hidden',
      otherwise: `of an enciphered value it can only take the last: where two type into "text" at once, "${both}" is left`,
    },
  ];
}

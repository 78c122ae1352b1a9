/** A text that is edited offline, saved and sent: the capabilities that need no more of a library. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { staysReadable } from './encodings.ts';
import { type Check, judge, type Outcome, type Stage } from './outcome.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** How a library does it. Documents may be values: a function that takes one gives it back. */
export interface TextLibrary<Document> {
  create(text: string): Document;
  /** @returns with the update that others need to have it too */
  insert(document: Document, position: number, text: string): [Document, Uint8Array];
  receive(document: Document, update: Uint8Array): Document;
  text(document: Document): string;
  save(document: Document): Uint8Array;
  /** @param replica from 1 on: whose it is from now on */
  load(saved: Uint8Array, replica: number): Document;
  /** Each gets what it lacks of the other's; no server is asked. */
  exchange(one: Document, other: Document): [Document, Document];
}

export function triesText<Document>(
  capability: string,
  name: string,
  library: TextLibrary<Document>,
): Outcome | Promise<Outcome> {
  if (capability === 'offline-merge') return mergesOffline(library);
  if (capability === 'opaque-server') return agreesThroughOpaqueServer(library);
  return staysReadable(
    {
      ...library,
      insert: (document, position, text) => library.insert(document, position, text)[0],
      load: (saved) => library.load(saved, 2),
    },
    name,
  );
}

/** Two replicas edit apart, one of them across a restart, and meet again. */
function mergesOffline<Document>(library: TextLibrary<Document>): Outcome {
  const seed = library.save(library.create('middle'));
  let one = library.load(seed, 1);
  let other = library.load(seed, 2);
  one = library.insert(one, 0, 'first ')[0];
  other = library.insert(other, 'middle'.length, ' last')[0];
  one = library.load(library.save(one), 1);
  one = library.insert(one, 0, 'very ')[0];
  [one, other] = library.exchange(one, other);
  const texts = [library.text(one), library.text(other)];
  return judge([
    { holds: texts[0] === texts[1], otherwise: 'replicas end apart', isEssential: true },
    { holds: texts[0] === 'very first middle last', otherwise: `edits made offline give "${texts[0]}"` },
  ]);
}

/** A server keeps and hands on what it cannot read: all is enciphered with a key that it does not have. */
function agreesThroughOpaqueServer<Document>(library: TextLibrary<Document>): Outcome {
  const key = randomBytes(32);
  /** All that the server has. */
  const log: Buffer[] = [];
  const send = (bytes: Uint8Array) => log.push(encipher(bytes, key));
  send(library.save(library.create('text')));
  const join = (replica: number) => {
    const [seed, ...updates] = log.map((message) => decipher(message, key));
    const opened = library.load(seed!, replica);
    return updates.reduce((document, update) => library.receive(document, update), opened);
  };
  let one = join(1);
  let other = join(2);
  const insert = (document: Document, position: number, text: string) => {
    const [changed, update] = library.insert(document, position, text);
    send(update);
    return changed;
  };
  // Neither has the other's: they type at once.
  const from = log.length;
  one = insert(one, 0, 'secret ');
  const between = log.length;
  other = insert(other, 'text'.length, ' hidden');
  one = library.receive(one, decipher(log[between]!, key));
  other = library.receive(other, decipher(log[from]!, key));
  one = insert(one, 'secret text hidden'.length, '!');
  other = library.receive(other, decipher(log.at(-1)!, key));
  const latecomer = join(3);

  const texts = [one, other, latecomer].map((document) => library.text(document));
  return judge([
    {
      holds: texts.every((text) => text === 'secret text hidden!'),
      otherwise: `through a server that cannot read them the texts are "${texts.join('", "')}"`,
    },
  ]);
}

/** A client of a server that holds values by keys. */
export interface ValueClient {
  /** Puts it in the place of what is there. */
  put(key: string, value: string): void;
  values(): ReadonlyMap<string, string>;
}

/**
 * All that an application can do where the server has to know the content: it enciphers each value.
 *
 * @param open gives two clients of a server with these values, and more by `join`
 */
export async function holdsEnciphered(
  open: (begin: Record<string, string>) => Promise<Stage<ValueClient> & { join(): Promise<ValueClient> }>,
): Promise<Check[]> {
  const cipherKey = randomBytes(32);
  const seal = (text: string) => encipher(Buffer.from(text), cipherKey).toString('base64');
  const read = (client: ValueClient) => {
    const texts = Array.from(client.values(), ([key, value]): [string, string] => {
      return [key, Buffer.from(decipher(Buffer.from(value, 'base64'), cipherKey)).toString()];
    });
    return Object.fromEntries(texts.sort(([first], [second]) => (first < second ? -1 : 1)));
  };
  const type = (client: ValueClient, key: string, position: number, text: string) => {
    const before = read(client)[key] ?? '';
    client.put(key, seal(before.slice(0, position) + text + before.slice(position)));
  };
  const { replicas, exchange, join, close } = await open({ both: seal('text') });
  const [one, other] = replicas;
  type(one, 'of one', 0, 'secret');
  type(one, 'both', 0, 'secret ');
  type(other, 'of the other', 0, 'hidden');
  type(other, 'both', 'text'.length, ' hidden');
  await exchange();
  const seen = [one, other, await join()].map(read);
  await close?.();
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

/** Enciphers text that a server is not to read. */
export function encipher(bytes: Uint8Array, key: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const enciphered = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), enciphered]);
}

export function decipher(message: Buffer, key: Buffer): Uint8Array {
  const nonce = message.subarray(0, NONCE_BYTES);
  const decipherer = createDecipheriv(ALGORITHM, key, nonce);
  decipherer.setAuthTag(message.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return new Uint8Array(
    Buffer.concat([decipherer.update(message.subarray(NONCE_BYTES + TAG_BYTES)), decipherer.final()]),
  );
}

/** A server that keeps and hands on what it cannot read: everything is enciphered with a key that it does not have. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { judge, type Outcome } from '../outcome.ts';

/** How a library does it. Documents may be values: what takes one gives it back. */
export interface RelayedLibrary<Document> {
  /** What all begin with. */
  seed(text: string): Uint8Array;
  /** @param replica from 1 on */
  open(seed: Uint8Array, replica: number): Document;
  /** @returns with what others need to have it too */
  insert(document: Document, position: number, text: string): [Document, Uint8Array];
  receive(document: Document, update: Uint8Array): Document;
  text(document: Document): string;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function agreesThroughOpaqueServer<Document>(library: RelayedLibrary<Document>): Outcome {
  const key = randomBytes(32);
  /** All that the server has. */
  const log: Buffer[] = [];
  const send = (bytes: Uint8Array) => log.push(encipher(bytes, key));
  send(library.seed('text'));
  const join = (replica: number) => {
    const [seed, ...updates] = log.map((message) => decipher(message, key));
    const opened = library.open(seed!, replica);
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

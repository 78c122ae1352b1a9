/** Replicache's clients merge through their server, which runs their mutations again. Text is a value. */
import type { Json, Replicache, WriteTransaction } from 'replicache';
import { staysReadable } from '../encodings.ts';
import { type Check, judge, type Outcome, type Program } from '../outcome.ts';
import { holdsEnciphered } from '../text.ts';
import { type KeptStore, keepStore, savedWith } from './kept.ts';
import { entriesOf, exchange, openClient, pair, serveEntries } from './server.ts';

/** It replaces the value as a whole. */
const TEXT_MUTATORS = {
  async insert(tx: WriteTransaction, { position, text }: { position: number; text: string }) {
    await tx.set('text', typedInto(((await tx.get('text')) ?? '') as string, position, text));
  },
};

function typedInto(before: string, position: number, text: string): string {
  return before.slice(0, position) + text + before.slice(position);
}

const PROGRAMS: Readonly<Record<string, () => Promise<Outcome>>> = {
  'offline-merge': mergesOffline,
  'opaque-server': agreesThroughOpaqueServer,
  encodings: staysReadableInStore,
};

export const triesText: Program = (capability) => PROGRAMS[capability]!();

const MUTATORS = {
  ...TEXT_MUTATORS,
  async add(tx: WriteTransaction, { note }: { note: string }) {
    await tx.set('notes', [...((await tx.get('notes')) as string[]), note]);
  },
};

/** Its clients merge through the server only, which runs again what they did. Text is a value, typed into by a mutator. */
async function mergesOffline(): Promise<Outcome> {
  const server = await serveEntries({ text: 'middle', notes: [] }, MUTATORS);
  const store = keepStore();
  const [before, other] = [await server.join({ name: 'one', store: store.provider }), await server.join()];
  await before.replicache.mutate.insert({ position: 0, text: 'first ' });
  await before.replicache.mutate.add({ note: 'by one' });
  await other.replicache.mutate.insert({ position: 'middle'.length, text: ' last' });
  await other.replicache.mutate.add({ note: 'by the other' });

  // A restart, before it meets the server: all that is left is what it has in its store.
  const saved = await savedWith(store, 'by one');
  await before.replicache.close();
  const one = await server.join({ name: 'one', store: keepStore(saved).provider, isOffline: true });
  await one.replicache.mutate.insert({ position: 0, text: 'very ' });
  await exchange(one, other);
  const [ends, otherEnds] = [one, other].map(({ entries }) => ({
    text: entries.get('text'),
    notes: entries.get('notes'),
  }));
  await server.close();

  return judge([
    { holds: JSON.stringify(ends) === JSON.stringify(otherEnds), otherwise: 'replicas end apart', isEssential: true },
    {
      holds: JSON.stringify(ends!.notes) === '["by one","by the other"]',
      otherwise: `notes added offline to one value are ${JSON.stringify(ends!.notes)}`,
    },
    {
      holds: ends!.text === 'very first middle last',
      otherwise: `an insert is run again after what others did, but at the position that it was told: text typed offline gives "${ends!.text}"`,
    },
  ]);
}

const PUT = {
  async put(tx: WriteTransaction, { key, value }: { key: string; value: Json }) {
    await tx.set(key, value);
  },
};

/** The server runs the same mutators as the clients. One that puts a value in another's place can be told it enciphered. */
async function agreesThroughOpaqueServer(): Promise<Outcome> {
  return judge([await inClearText(), ...(await enciphered())]);
}

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

function enciphered(): Promise<Check[]> {
  return holdsEnciphered((begin) =>
    pair(begin, PUT, (client) => ({
      put: (key, value) => client.later(() => client.replicache.mutate.put({ key, value })),
      values: () => client.entries as ReadonlyMap<string, string>,
    })),
  );
}

interface Document {
  replicache: Replicache<typeof TEXT_MUTATORS>;
  store: KeptStore;
  text: string;
}

/** The saved state is a client's store in the user's browser: the server's data, and the mutations since. */
async function staysReadableInStore(): Promise<Outcome> {
  const documents: Document[] = [];
  const open = async (saved?: string) => {
    const store = keepStore(saved);
    const replicache = openClient({ name: 'saved', mutators: TEXT_MUTATORS, kvStore: store.provider });
    const document = { replicache, store, text: await textOf(replicache) };
    documents.push(document);
    return document;
  };
  const insert = async (document: Document, position: number, text: string) => {
    const { replicache } = document;
    await replicache.mutate.insert({ position, text });
    document.text = await textOf(replicache);
    return document;
  };
  const outcome = await staysReadable<Document>(
    {
      create: async (text) => insert(await open(), 0, text),
      insert,
      text: ({ text }) => text,
      save: async ({ store, text }) => new TextEncoder().encode(await savedWith(store, text)),
      load: (saved) => open(new TextDecoder().decode(saved)),
    },
    'replicache',
  );
  for (const { replicache } of documents) await replicache.close();
  return outcome;
}

async function textOf(replicache: Document['replicache']): Promise<string> {
  return ((await entriesOf(replicache)).get('text') ?? '') as string;
}

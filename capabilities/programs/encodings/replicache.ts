/** What is saved is what a client keeps in the user's browser: what the server gave, and what was done since. */
import type { Replicache } from 'replicache';
import type { Program } from '../outcome.ts';
import { type KeptStore, keepStore, savedWith } from '../replicache/kept.ts';
import { entriesOf, openClient } from '../replicache/server.ts';
import { TEXT_MUTATORS } from '../replicache/text.ts';
import { staysReadable } from './encodings.ts';

interface Document {
  replicache: Replicache<typeof TEXT_MUTATORS>;
  store: KeptStore;
  text: string;
}

export const program: Program = async () => {
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
};

async function textOf(replicache: Document['replicache']): Promise<string> {
  return ((await entriesOf(replicache)).get('text') ?? '') as string;
}

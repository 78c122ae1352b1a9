/** The whole state is written anew with each edit, under one key. */
import * as Y from 'yjs';
import type { Store } from '../stores/store.ts';
import type { Way } from './way.ts';
import { writeBatch } from './write-batch.ts';
import { documentOf, STATE_KEY, textOf } from './yjs-document.ts';

export const way: Way = {
  async open(store) {
    const doc = await read(store);
    return {
      apply({ update }) {
        Y.applyUpdate(doc, update);
      },
      persist: () => writeBatch(store, { puts: [[STATE_KEY, Y.encodeStateAsUpdate(doc)]], deletes: [] }),
    };
  },
  readAll: async (store) => textOf(await read(store)),
};

async function read(store: Store): Promise<Y.Doc> {
  const state = await store.get(STATE_KEY);
  return documentOf(state === undefined ? [] : [state]);
}

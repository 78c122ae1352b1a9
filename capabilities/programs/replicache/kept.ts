/** A store for Replicache's client whose contents can be saved, in place of a browser's IndexedDB. */
import type { Json, StoreProvider, StoreWrite } from 'replicache';
import { expectThat } from '../outcome.ts';

export interface KeptStore {
  provider: StoreProvider;
  /** All that is in it, as JSON. */
  save(): string;
}

/** A client writes what it has into its store about a second after a change. */
const LIMIT_MS = 10_000;
const POLL_MS = 10;

/** The store's content once it holds that text. @throws Error if it does not come to that */
export async function savedWith(store: KeptStore, text: string): Promise<string> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const saved = store.save();
    if (saved.includes(JSON.stringify(text))) return saved;
    expectThat(performance.now() < end, `the client writes "${text}" into its store`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** @param saved its first content */
export function keepStore(saved = '{}'): KeptStore {
  // The client asks a store for frozen values.
  const begin = JSON.parse(saved, (_, value) => Object.freeze(value)) as Record<string, Record<string, Json>>;
  const databases = new Map(Object.entries(begin).map(([name, entries]) => [name, new Map(Object.entries(entries))]));
  return {
    provider: {
      create(name) {
        const entries = databases.get(name) ?? new Map<string, Json>();
        databases.set(name, entries);
        return open(entries);
      },
      drop: async (name) => void databases.delete(name),
    },
    save: () =>
      JSON.stringify(Object.fromEntries([...databases].map(([name, entries]) => [name, Object.fromEntries(entries)]))),
  };
}

/** One writes at a time; who reads sees what was there when they began. */
function open(entries: Map<string, Json>): ReturnType<StoreProvider['create']> {
  let lastWrite: Promise<void> = Promise.resolve();
  const begin = (released: () => void): StoreWrite => {
    const view = new Map(entries);
    const changes: (() => void)[] = [];
    const change = (apply: (to: Map<string, Json>) => void) => {
      apply(view);
      changes.push(() => apply(entries));
    };
    return {
      has: async (key) => view.has(key),
      get: async (key) => view.get(key),
      put: async (key, value) => change((to) => to.set(key, value)),
      del: async (key) => change((to) => to.delete(key)),
      async commit() {
        for (const each of changes) each();
      },
      release() {
        this.closed = true;
        released();
      },
      closed: false,
    };
  };
  return {
    read: async () => begin(() => {}),
    async write() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const before = lastWrite;
      lastWrite = promise;
      await before;
      return begin(resolve);
    },
    async close() {
      this.closed = true;
    },
    closed: false,
  };
}

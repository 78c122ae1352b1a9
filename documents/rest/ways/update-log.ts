/** A log of updates, each under the next number, with or without a state from which it goes on. */
import * as Y from 'yjs';
import type { Entry, Store } from '../stores/store.ts';
import type { Edit, KeptDocument, Way } from './way.ts';
import { writeBatch } from './write-batch.ts';
import { documentOf, STATE_KEY, textOf } from './yjs-document.ts';

const LOG = { from: 'u', to: 'v' };
/** Numbers of equal length are in order as text, too: room for 2,000 million updates. */
const RADIX = 36;
const DIGITS = 6;

/** @param compactEvery after how many updates the state takes the place of the log; infinite: never */
export function logOfUpdates(compactEvery: (options: { compactEvery: number }) => number): Way {
  return {
    async open(store, options) {
      const { doc, log } = await read(store);
      const numbers = log.map(([key]) => numberOf(key));
      return new LoggedDocument(store, { doc, numbers, compactEvery: compactEvery(options) });
    },
    readAll: async (store) => textOf((await read(store)).doc),
  };
}

class LoggedDocument implements KeptDocument {
  readonly #store: Store;
  readonly #doc: Y.Doc;
  readonly #compactEvery: number;
  /** Of the log in the store: the first number, and the one after the last. */
  #first: number;
  #next: number;
  #unwritten: Uint8Array[] = [];

  constructor(store: Store, { doc, numbers, compactEvery }: { doc: Y.Doc; numbers: number[]; compactEvery: number }) {
    this.#store = store;
    this.#doc = doc;
    this.#compactEvery = compactEvery;
    this.#first = numbers[0] ?? 0;
    this.#next = (numbers.at(-1) ?? -1) + 1;
  }

  apply({ update }: Edit): void {
    Y.applyUpdate(this.#doc, update);
    this.#unwritten.push(update);
  }

  persist(): Promise<number> {
    const updates = this.#unwritten;
    this.#unwritten = [];
    if (this.#next - this.#first + updates.length >= this.#compactEvery) return this.#compact();
    const puts = updates.map((update): Entry => [keyOf(this.#next++), update]);
    return writeBatch(this.#store, { puts, deletes: [] });
  }

  /** State and log change places in one batch, so that no update is ever in neither of them. */
  #compact(): Promise<number> {
    const deletes = Array.from({ length: this.#next - this.#first }, (_, index) => keyOf(this.#first + index));
    this.#first = this.#next;
    return writeBatch(this.#store, { puts: [[STATE_KEY, Y.encodeStateAsUpdate(this.#doc)]], deletes });
  }
}

async function read(store: Store): Promise<{ doc: Y.Doc; log: Entry[] }> {
  const state = await store.get(STATE_KEY);
  const log = await store.scan(LOG);
  const updates = log.map(([, update]) => update);
  return { doc: documentOf(state === undefined ? updates : [state, ...updates]), log };
}

function keyOf(number: number): string {
  return LOG.from + number.toString(RADIX).padStart(DIGITS, '0');
}

function numberOf(key: string): number {
  return Number.parseInt(key.slice(LOG.from.length), RADIX);
}

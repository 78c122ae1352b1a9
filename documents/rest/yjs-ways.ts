/** The ways that keep a document as Yjs holds it: its whole state, a log of its updates, or both. */
import * as Y from 'yjs';
import { COMMON_START, wholeNumberOf } from '../engines/identity.ts';
import { type Edit, type Entry, type KeptDocument, type Store, type Way, writeBatch } from './store.ts';

/** Of the whole state in a store. */
const STATE_KEY = 's';
const TEXT_NAME = 'text';
/** The author's: of 32 bits, as a real user's, and the same in every run, so that the lengths of updates are. */
const CLIENT_ID = wholeNumberOf(COMMON_START, 32);
/** The update that Yjs makes of a change of nothing. */
const NOTHING = Uint8Array.of(0, 0);

/** Of updates, in the order in which they were made. */
function documentOf(updates: readonly Uint8Array[]): Y.Doc {
  const doc = new Y.Doc();
  doc.transact(() => {
    for (const update of updates) Y.applyUpdate(doc, update);
  });
  return doc;
}

function textOf(doc: Y.Doc): string {
  return doc.getText(TEXT_NAME).toString();
}

/** A user who types into the document elsewhere: gives each edit's update. */
export function createAuthor(): (edit: Omit<Edit, 'update'>) => Uint8Array {
  const doc = new Y.Doc();
  doc.clientID = CLIENT_ID;
  const text = doc.getText(TEXT_NAME);
  let last: Uint8Array = NOTHING;
  doc.on('update', (update: Uint8Array) => {
    last = update;
  });
  return ({ position, deleted, inserted }) => {
    last = NOTHING;
    doc.transact(() => {
      if (deleted > 0) text.delete(position, deleted);
      if (inserted !== '') text.insert(position, inserted);
    });
    return last;
  };
}

/** The whole state is written anew with each edit, under one key. */
export const rewrite: Way = {
  async open(store) {
    const doc = await readState(store);
    return {
      apply({ update }) {
        Y.applyUpdate(doc, update);
      },
      persist: () => writeBatch(store, { puts: [[STATE_KEY, Y.encodeStateAsUpdate(doc)]], deletes: [] }),
    };
  },
  readAll: async (store) => textOf(await readState(store)),
};

async function readState(store: Store): Promise<Y.Doc> {
  const state = await store.get(STATE_KEY);
  return documentOf(state === undefined ? [] : [state]);
}

const LOG = { from: 'u', to: 'v' };
/** Numbers of equal length are in order as text, too: room for 2,000 million updates. */
const RADIX = 36;
const DIGITS = 6;

/** Each edit’s update is appended to a log, which only grows. */
export const append = logOfUpdates(() => Number.POSITIVE_INFINITY);

/** Updates are appended to a log, and at times the state takes the log’s place. */
export const compact = logOfUpdates(({ compactEvery }) => compactEvery);

/**
 * A log of updates, each under the next number, with or without a state from which it goes on.
 *
 * @param compactEvery after how many updates the state takes the place of the log; infinite: never
 */
function logOfUpdates(compactEvery: (options: { compactEvery: number }) => number): Way {
  return {
    async open(store, options) {
      const { doc, log } = await readLog(store);
      const numbers = log.map(([key]) => numberOf(key));
      return new LoggedDocument(store, { doc, numbers, compactEvery: compactEvery(options) });
    },
    readAll: async (store) => textOf((await readLog(store)).doc),
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

async function readLog(store: Store): Promise<{ doc: Y.Doc; log: Entry[] }> {
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

/**
 * The ways that keep a document as Yjs holds it: its whole state, a log of its updates, or both. The document in memory is its one
 * author's, so the update of an edit is what any server would get of it.
 */
import * as Y from 'yjs';
import { COMMON_START, wholeNumberOf } from '../engines/identity.ts';
import { type Entry, type KeptDocument, type Store, type Way, writeBatch } from './store.ts';

/** Of the whole state in a store. */
const STATE_KEY = 's';
const TEXT_NAME = 'text';
/** The author's: of 32 bits, as a real user's, and the same in every run, so that the lengths of updates are. */
const CLIENT_ID = wholeNumberOf(COMMON_START, 32);
const LOG = { from: 'u', to: 'v' };
/** Numbers of equal length are in order as text, too: room for 2,000 million updates. */
const RADIX = 36;
const DIGITS = 6;

/** The whole state is written anew with each edit, under one key: a log that is replaced at once. */
export const rewrite = keptWay(() => 1, { hasLog: false });

/** Each edit’s update is appended to a log, which only grows. */
export const append = keptWay(() => Number.POSITIVE_INFINITY);

/** Updates are appended to a log, and at times the state takes the log’s place. */
export const compact = keptWay(({ compactEvery }) => compactEvery);

/**
 * A log of updates, each under the next number, with or without a state from which it goes on.
 *
 * @param compactEvery after how many updates the state takes the place of the log; infinite: never
 */
function keptWay(compactEvery: (options: { compactEvery: number }) => number, { hasLog = true } = {}): Way {
  const read = async (store: Store) => {
    const state = await store.get(STATE_KEY);
    const log = hasLog ? await store.scan(LOG) : [];
    const doc = new Y.Doc();
    doc.transact(() => {
      for (const update of [...(state === undefined ? [] : [state]), ...log.map(([, update]) => update)]) {
        Y.applyUpdate(doc, update);
      }
    });
    return { doc, log };
  };
  return {
    async open(store, options) {
      const { doc, log } = await read(store);
      const numbers = log.map(([key]) => Number.parseInt(key.slice(LOG.from.length), RADIX));
      return new YjsDocument(store, { doc, numbers, compactEvery: compactEvery(options) });
    },
    readAll: async (store) => (await read(store)).doc.getText(TEXT_NAME).toString(),
  };
}

class YjsDocument implements KeptDocument {
  readonly #store: Store;
  readonly #doc: Y.Doc;
  readonly #text: Y.Text;
  readonly #compactEvery: number;
  /** Of the log in the store: the first number, and the one after the last. */
  #first: number;
  #next: number;
  #unwritten: Uint8Array[] = [];

  constructor(store: Store, { doc, numbers, compactEvery }: { doc: Y.Doc; numbers: number[]; compactEvery: number }) {
    this.#store = store;
    this.#doc = doc;
    this.#text = doc.getText(TEXT_NAME);
    this.#compactEvery = compactEvery;
    this.#first = numbers[0] ?? 0;
    this.#next = (numbers.at(-1) ?? -1) + 1;
    // Not before it is read: Yjs takes another one if it meets its own.
    doc.clientID = CLIENT_ID;
    doc.on('update', (update: Uint8Array) => this.#unwritten.push(update));
  }

  edit(position: number, deleted: number, inserted: string): void {
    this.#doc.transact(() => {
      if (deleted > 0) this.#text.delete(position, deleted);
      if (inserted !== '') this.#text.insert(position, inserted);
    });
  }

  /** State and log change places in one batch, so that no update is ever in neither of them. */
  persist(): Promise<number> {
    const updates = this.#unwritten;
    this.#unwritten = [];
    if (this.#next - this.#first + updates.length < this.#compactEvery) {
      const puts = updates.map((update): Entry => [keyOf(this.#next++), update]);
      return writeBatch(this.#store, { puts, deletes: [] });
    }
    const deletes = Array.from({ length: this.#next - this.#first }, (_, index) => keyOf(this.#first + index));
    this.#first = this.#next;
    return writeBatch(this.#store, { puts: [[STATE_KEY, Y.encodeStateAsUpdate(this.#doc)]], deletes });
  }
}

function keyOf(number: number): string {
  return LOG.from + number.toString(RADIX).padStart(DIGITS, '0');
}

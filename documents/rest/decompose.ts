/**
 * One key for each character, so that an edit touches what it changes only. A character's key is its position: a string that
 * orders it among all others, and that it keeps. Positions stand for the identities that Yjs gives its own items.
 */
import { PositionSource } from 'position-strings';
import { GapBuffer } from '../../traces/gap-buffer.ts';
import { type Entry, type KeptDocument, type Store, type Way, writeBatch } from './store.ts';

const CHARACTERS = { from: 'p', to: 'q' };
/** How often the document was opened to be edited: positions made by two processes must not be alike. */
const OPENED_KEY = 'o';
const RADIX = 36;
/** A character's value is its UTF-16 unit, the low byte first, so that no pair of units needs a rule of its own. */
const UNIT_BYTES = 2;
/** Most paragraphs are shorter, and are read at once. */
const PAGE_CHARACTERS = 512;
const LINE_END = '\n';
/** Before all characters of positions: what follows a key directly. */
const NEXT = '!';

export const way: Way = {
  async open(store) {
    const entries = await store.scan(CHARACTERS);
    const author = await nextAuthor(store);
    return new DecomposedDocument(store, { positions: entries.map(([key]) => positionOf(key)), author });
  },
  readAll: async (store) => textOf(await store.scan(CHARACTERS)),
  paragraphs: {
    async anchorAt(store, position) {
      return (await store.scan(CHARACTERS))[position]![0];
    },
    async read(store, anchor) {
      let text = '';
      let from = anchor;
      for (;;) {
        const page = await store.scan({ from, to: CHARACTERS.to, limit: PAGE_CHARACTERS });
        text += textOf(page);
        const end = text.indexOf(LINE_END);
        if (end !== -1) return text.slice(0, end);
        if (page.length < PAGE_CHARACTERS) return text;
        from = page.at(-1)![0] + NEXT;
      }
    },
  },
};

class DecomposedDocument implements KeptDocument {
  readonly #store: Store;
  readonly #source: PositionSource;
  /** Every position that was read or made, by its number. */
  readonly #positions: string[];
  /** The numbers of those in the document, in its order. */
  readonly #order: GapBuffer;
  /** The last edit's text has no positions yet. */
  #unplaced: { position: number; text: string } | null = null;
  #unwritten = new Map<number, number>();
  #deleted: number[] = [];

  constructor(store: Store, { positions, author }: { positions: string[]; author: string }) {
    this.#store = store;
    this.#source = new PositionSource({ ID: author });
    this.#positions = positions;
    this.#order = new GapBuffer(positions.map((_, number) => number));
  }

  edit(position: number, deleted: number, inserted: string): void {
    this.#place();
    for (const number of this.#order.slice(position, position + deleted)) {
      if (!this.#unwritten.delete(number)) this.#deleted.push(number);
    }
    this.#order.splice(position, deleted, []);
    this.#unplaced = { position, text: inserted };
  }

  /** Positions are a part of what is written, so they are made when it is. */
  persist(): Promise<number> {
    this.#place();
    const puts = Array.from(this.#unwritten, ([number, unit]): Entry => [this.#keyOf(number), bytesOf(unit)]);
    const deletes = this.#deleted.map((number) => this.#keyOf(number));
    this.#unwritten = new Map();
    this.#deleted = [];
    return writeBatch(this.#store, { puts, deletes });
  }

  #place(): void {
    if (this.#unplaced === null) return;
    const { position, text } = this.#unplaced;
    this.#unplaced = null;
    let left = position === 0 ? PositionSource.FIRST : this.#positionAt(position - 1);
    const right = position === this.#order.length ? PositionSource.LAST : this.#positionAt(position);
    const numbers = Array.from({ length: text.length }, (_, index) => {
      left = this.#source.createBetween(left, right);
      const number = this.#positions.push(left) - 1;
      this.#unwritten.set(number, text.charCodeAt(index));
      return number;
    });
    this.#order.splice(position, 0, numbers);
  }

  #positionAt(index: number): string {
    return this.#positions[this.#order.at(index)]!;
  }

  #keyOf(number: number): string {
    return CHARACTERS.from + this.#positions[number]!;
  }
}

/** Counted in the store before anything is written under its name. */
async function nextAuthor(store: Store): Promise<string> {
  const before = await store.get(OPENED_KEY);
  const author = before === undefined ? 0 : Number.parseInt(Buffer.from(before).toString('latin1'), RADIX) + 1;
  await store.write({ puts: [[OPENED_KEY, Buffer.from(author.toString(RADIX))]], deletes: [] });
  return author.toString(RADIX);
}

function positionOf(key: string): string {
  return key.slice(CHARACTERS.from.length);
}

function bytesOf(unit: number): Uint8Array {
  const bytes = new Uint8Array(UNIT_BYTES);
  bytes[0] = unit & 0xff;
  bytes[1] = unit >> 8;
  return bytes;
}

function textOf(entries: readonly Entry[]): string {
  const bytes = Buffer.alloc(UNIT_BYTES * entries.length);
  for (const [index, [, value]] of entries.entries()) bytes.set(value, UNIT_BYTES * index);
  return bytes.toString('utf16le');
}

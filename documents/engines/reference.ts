/**
 * The part that both reference algorithms share: a document over a linked list of characters, deleted ones included, each found
 * by its number at once, and by its place from where the last edit was. They differ in the places of characters.
 */
import type { EngineDocument, OpenOptions } from './engine.ts';
import { wholeNumberOf } from './identity.ts';

/** A character that somebody typed: one UTF-16 unit. */
export interface Character {
  id: number;
  unit: string;
  isDeleted: boolean;
  previous: Character | null;
  next: Character | null;
}

/** Replicas beyond it, or characters of one of them, would share numbers. */
const CHARACTERS_PER_REPLICA = 2 ** 32;
/** The rest of a whole number. */
const REPLICA_BITS = 21;

/** The number of a replica's character. */
export function idOf(replica: number, counter: number): number {
  return replica * CHARACTERS_PER_REPLICA + counter;
}

export function replicaOf(id: number): number {
  return Math.floor(id / CHARACTERS_PER_REPLICA);
}

export function counterOf(id: number): number {
  return id % CHARACTERS_PER_REPLICA;
}

export class LinkedText<Item extends Character> {
  first: Item | null = null;
  readonly #byId = new Map<number, Item>();
  /** A character that is there, and how many of those stand before it; null if that is not known. */
  #cursor: { item: Item; index: number } | null = null;

  /** @throws RangeError if there is none, for example if updates come in another order than they were made */
  find(id: number): Item {
    const item = this.#byId.get(id);
    if (item === undefined) throw new RangeError(`there is no character ${id}`);
    return item;
  }

  /** The character that is there at this place; null at the end. */
  at(index: number): Item | null {
    let { item, index: here } = this.#cursor ?? { item: this.first, index: 0 };
    if (this.#cursor === null) while (item?.isDeleted) item = item.next as Item | null;
    while (item !== null && here < index) {
      item = this.#nextThere(item);
      here++;
    }
    while (item !== null && here > index) {
      item = this.#previousThere(item);
      here--;
    }
    if (item !== null) this.#cursor = { item, index };
    return item;
  }

  /** The character before this place, whose right neighbour a new one becomes; null at the beginning. */
  before(index: number): Item | null {
    return index === 0 ? null : this.at(index - 1);
  }

  /** @param index its place, if that is known; a change by others leaves places unknown */
  insertAfter(left: Item | null, item: Item, index: number | null): void {
    const right = left === null ? this.first : (left.next as Item | null);
    item.previous = left;
    item.next = right;
    if (left === null) this.first = item;
    else left.next = item;
    if (right !== null) right.previous = item;
    this.#byId.set(item.id, item);
    this.#cursor = index === null ? null : { item, index };
  }

  /** Its right neighbour takes its place; at the end there is none, and its left one is next to where it was. */
  delete(item: Item): void {
    if (item.isDeleted) return;
    item.isDeleted = true;
    const cursor = this.#cursor;
    this.#cursor = null;
    if (cursor?.item !== item) return;
    const next = this.#nextThere(item);
    const previous = next === null ? this.#previousThere(item) : null;
    if (next !== null) this.#cursor = { item: next, index: cursor.index };
    else if (previous !== null) this.#cursor = { item: previous, index: cursor.index - 1 };
  }

  text(): string {
    const units: string[] = [];
    for (let item = this.first; item !== null; item = item.next as Item | null)
      if (!item.isDeleted) units.push(item.unit);
    return units.join('');
  }

  #nextThere(from: Item): Item | null {
    let item = from.next;
    while (item?.isDeleted) item = item.next;
    return item as Item | null;
  }

  #previousThere(from: Item): Item | null {
    let item = from.previous;
    while (item?.isDeleted) item = item.previous;
    return item as Item | null;
  }
}

/** An edit for others, as JSON: the deleted characters' numbers, and the new characters, each with its placement. */
interface Update<Place> {
  deleted: number[];
  inserted: { id: number; unit: string; place: Place }[];
}

/** An algorithm's rule for the places of characters. */
export interface Placing<Item extends Character, Place> {
  /** The placement, for others, of a new character that is typed between these two. */
  placeOf(left: Character | null, right: Character | null): Place;
  create(character: Character, place: Place): Item;
  /** The character that it stands right of, among others that were put there at once; null: it is the first. */
  leftOf(item: Item, text: LinkedText<Item>): Item | null;
}

export function openDocument<Item extends Character, Place>(
  { identity }: OpenOptions,
  placing: Placing<Item, Place>,
): EngineDocument {
  const text = new LinkedText<Item>();
  const replica = wholeNumberOf(identity, REPLICA_BITS);
  /** Lamport's clock: above every counter that this replica has seen. */
  let clock = 0;
  let last: Update<Place> = { deleted: [], inserted: [] };

  const put = ({ id, unit, place }: Update<Place>['inserted'][number], index: number | null) => {
    const item = placing.create({ id, unit, isDeleted: false, previous: null, next: null }, place);
    text.insertAfter(placing.leftOf(item, text), item, index);
    clock = Math.max(clock, counterOf(id));
  };
  const edit = (position: number, deleted: number, inserted: string) => {
    last = { deleted: [], inserted: [] };
    for (let count = 0; count < deleted; count++) {
      const item = text.at(position)!;
      last.deleted.push(item.id);
      text.delete(item);
    }
    for (let index = 0; index < inserted.length; index++) {
      const left = text.before(position + index);
      const right = left === null ? text.first : left.next;
      const id = idOf(replica, clock + 1);
      const typed = { id, unit: inserted[index]!, place: placing.placeOf(left, right) };
      last.inserted.push(typed);
      put(typed, position + index);
    }
  };
  return {
    edit,
    together: (make) => make(edit),
    text: () => text.text(),
    takeUpdate: () => new TextEncoder().encode(JSON.stringify(last)),
    receive(received) {
      for (const bytes of received) {
        const { deleted, inserted } = JSON.parse(new TextDecoder().decode(bytes)) as Update<Place>;
        for (const id of deleted) text.delete(text.find(id));
        for (const typed of inserted) put(typed, null);
      }
    },
  };
}

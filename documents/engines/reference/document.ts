/** A document over a linked text: the part that both reference algorithms share. They differ in the places of characters. */
import type { EngineDocument, OpenOptions } from '../engine.ts';
import { type Character, counterOf, idOf, LinkedText } from './linked-text.ts';

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
  { replica }: OpenOptions,
  placing: Placing<Item, Place>,
): EngineDocument {
  const text = new LinkedText<Item>();
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

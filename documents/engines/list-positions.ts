/** list-positions: text by positions that are sent along. What an edit is in bytes is its user's choice: here JSON. */
import { type BunchMeta, Order, type OrderSavedState, type Position, Text, type TextSavedState } from 'list-positions';
import type { Engine, EngineDocument } from './engine.ts';
import { COMMON_START, lettersOf } from './identity.ts';

const NAME_LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** A replica's name is 21 random letters. */
const orderOf = (identity: number) => new Order({ replicaID: lettersOf(identity, 21, NAME_LETTERS) });

/** An edit as others get it. */
interface Update {
  /** The units that went. */
  deleted: Position[];
  /** The first position of what came, its text, and the bunch that it began, if it did. */
  inserted: [start: Position, text: string, bunch: BunchMeta | null] | null;
}
interface Saved {
  order: OrderSavedState;
  text: TextSavedState<never>;
}

export const engine: Engine = {
  about: { package: 'list-positions', algorithm: 'Fugue', licence: 'MIT', kind: 'library' },
  open: ({ identity, updates }) => bind(new Text(orderOf(identity)), updates),
  load(saved) {
    const { order: orderState, text: textState } = JSON.parse(new TextDecoder().decode(saved)) as Saved;
    const text = new Text(orderOf(COMMON_START));
    text.order.load(orderState);
    text.load(textState);
    return bind(text, false);
  },
};

function bind(text: Text, updates: boolean): EngineDocument {
  let last: Update = { deleted: [], inserted: null };
  const edit = (position: number, deleted: number, inserted: string) => {
    const gone = updates ? Array.from({ length: deleted }, (_, index) => text.positionAt(position + index)) : [];
    if (deleted > 0) text.deleteAt(position, deleted);
    let came: Update['inserted'] = null;
    if (inserted !== '') {
      const [start, bunch] = text.insertAt(position, inserted);
      if (updates) came = [start, inserted, bunch];
    }
    if (updates) last = { deleted: gone, inserted: came };
  };
  return {
    edit,
    text: () => text.toString(),
    takeUpdate: () => new TextEncoder().encode(JSON.stringify(last)),
    receive(received) {
      for (const update of received) {
        const { deleted, inserted } = JSON.parse(new TextDecoder().decode(update)) as Update;
        for (const position of deleted) text.delete(position);
        if (inserted === null) continue;
        const [start, characters, bunch] = inserted;
        if (bunch !== null) text.order.addMetas([bunch]);
        text.set(start, characters);
      }
    },
    save() {
      const saved: Saved = { order: text.order.save(), text: text.save() };
      return [{ name: 'JSON', history: false, bytes: new TextEncoder().encode(JSON.stringify(saved)) }];
    },
  };
}

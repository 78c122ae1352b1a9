/**
 * Makes Yjs quicker for processes that simulate users; for measured clients the library is as it comes. A text's events and
 * the search for a change's place are nearly all the work of a hundred users in one process.
 */
import * as Y from 'yjs';

let isQuick = false;

/** For all texts in this process, from now on. Contents and events stay the same. */
export function quicken(): void {
  if (isQuick) return;
  isQuick = true;
  quickenEvents();
  quickenPlaces();
}

/** Bits of `info` that Yjs 13 does not use, and never writes out: it encodes a piece's content and origins. */
const ADDED = 0b0100_0000;
const DELETED = 0b1000_0000;

/**
 * Events: the stock one goes over the whole text and looks up every piece in two maps, for new pieces and for newly deleted
 * ones. Here the few such pieces are marked beforehand.
 */
function quickenEvents(): void {
  const { get } = Object.getOwnPropertyDescriptor(Y.YTextEvent.prototype, 'delta')!;
  Object.defineProperty(Y.YTextEvent.prototype, 'delta', {
    get(this: Y.YTextEvent) {
      const marked = markChanged(this.transaction);
      this.adds = isAdded;
      this.deletes = isDeleted;
      try {
        return get!.call(this);
      } finally {
        for (const item of marked) item.info &= ~(ADDED | DELETED);
        Reflect.deleteProperty(this, 'adds');
        Reflect.deleteProperty(this, 'deletes');
      }
    },
  });
}

const isAdded = (item: Y.AbstractStruct) => ((item as Y.Item).info & ADDED) !== 0;
const isDeleted = (item: Y.AbstractStruct) => ((item as Y.Item).info & DELETED) !== 0;

/** @returns the pieces that the transaction added or deleted, which are marked so */
function markChanged(transaction: Y.Transaction): Y.Item[] {
  const { doc, beforeState, afterState, deleteSet } = transaction;
  const marked: Y.Item[] = [];
  const mark = (struct: Y.AbstractStruct, bit: number) => {
    if (!(struct instanceof Y.Item)) return;
    struct.info |= bit;
    marked.push(struct);
  };
  for (const [client, clock] of afterState) {
    const before = beforeState.get(client) ?? 0;
    if (clock <= before) continue;
    const structs = doc.store.clients.get(client)!;
    for (let index = Y.findIndexSS(structs, before); index < structs.length; index++) {
      // A piece that was merged with an older one begins before.
      if (structs[index]!.id.clock >= before) mark(structs[index]!, ADDED);
    }
  }
  Y.iterateDeletedStructs(transaction, deleteSet, (struct) => mark(struct, DELETED));
  return marked;
}

/** A visible piece, before which no format is open. */
interface Mark {
  item: Y.Item;
  /** Visible characters before it. */
  index: number;
}

interface Known {
  mark: Mark | null;
  /** The last transaction that changed the text behind the mark. */
  by: Y.Transaction | null;
}

type Change = Parameters<Y.Text['applyDelta']>[0];

/** A mark lies so far before the change, since the next may be a deletion before that. */
const BEHIND = 50;
/** From a mark that is farther away, another is sought. */
const REACH = 500;

/**
 * Places: a stock text that has formats is walked from its start at each key. Here the walk begins at a piece that an earlier
 * one passed, as long as nothing has changed the text but deltas that begin behind that piece. After a delta, a transaction
 * changes the same text by deltas only.
 */
function quickenPlaces(): void {
  const known = new WeakMap<Y.Text, Known>();
  const knownOf = (text: Y.Text): Known => {
    const old = known.get(text);
    if (old !== undefined) return old;
    const created: Known = { mark: null, by: null };
    known.set(text, created);
    text.doc!.on('afterTransaction', (transaction) => {
      if (transaction !== created.by && isChanged(text, transaction)) created.mark = null;
    });
    return created;
  };
  const { applyDelta } = Y.Text.prototype;
  Y.Text.prototype.applyDelta = function (this: Y.Text, change: Change, options) {
    if (this.doc === null) return applyDelta.call(this, change, options);
    Y.transact(this.doc, (transaction) => {
      const about = knownOf(this);
      const [first, ...others] = change;
      const isPlain = first?.retain !== undefined && first.attributes === undefined;
      // In a text without formats, what finds places counts characters from its start.
      const isWalked = Reflect.get(this, '_searchMarker') === null;
      const isFirst = !isChanged(this, transaction);
      about.mark = isPlain && isWalked && isFirst ? findMark(this, first.retain, about.mark) : null;
      about.by = transaction;
      if (about.mark === null) return applyDelta.call(this, change, options);
      const { item, index } = about.mark;
      const start = this._start;
      this._start = item;
      try {
        applyDelta.call(this, [{ retain: first.retain - index }, ...others], options);
      } finally {
        this._start = start;
      }
    });
  };
}

function isChanged(text: Y.Text, { changed }: Y.Transaction): boolean {
  return (changed as ReadonlyMap<unknown, unknown>).has(text);
}

/** Where to begin for a change that is so many characters from the start; null: there. */
function findMark(text: Y.Text, changeIndex: number, last: Mark | null): Mark | null {
  const kept = last !== null && last.index < changeIndex && isThere(last, text) ? last : null;
  if (kept !== null && changeIndex - kept.index <= REACH) return kept;
  return markBefore(text, changeIndex - BEHIND, kept);
}

/** True unless the piece has become part of the one before it. */
function isThere({ item }: Mark, { doc }: Y.Text): boolean {
  const structs = doc!.store.clients.get(item.id.client)!;
  return structs[Y.findIndexSS(structs, item.id.clock)] === item;
}

/** The last one that begins before `limit`, sought from another on, or from the start. */
function markBefore(text: Y.Text, limit: number, from: Mark | null): Mark | null {
  let found = from?.item ?? null;
  let foundIndex = from?.index ?? 0;
  const open = new Set<string>();
  let index = foundIndex;
  for (let item = found ?? text._start; item !== null && index < limit; item = item.right) {
    if (item.deleted) continue;
    if (item.content instanceof Y.ContentFormat) {
      if (item.content.value === null) open.delete(item.content.key);
      else open.add(item.content.key);
      continue;
    }
    if (open.size === 0) {
      found = item;
      foundIndex = index;
    }
    index += item.length;
  }
  return found && { item: found, index: foundIndex };
}

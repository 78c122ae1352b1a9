/**
 * Makes a Yjs text find the place of a change quicker. A text that has formats is walked from its start at each key. Here
 * the walk begins at a piece that an earlier one passed, as long as nothing has changed the text but deltas that begin
 * behind that piece. What changes is the same.
 *
 * For processes that simulate users; for measured clients the library is as it comes.
 */
import * as Y from 'yjs';

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

let isQuick = false;

/** For all texts in this process, from now on. After a delta, a transaction changes the same text by deltas only. */
export function quickenPlaces(): void {
  if (isQuick) return;
  isQuick = true;
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

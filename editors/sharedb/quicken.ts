/**
 * The rich-text type for processes that host many users: it holds changes back and composes them together. Stock, every
 * change of anybody's is composed with the whole document at once, which is most of what a hundred users in one process
 * do. What a document holds whenever it is asked for is the same.
 *
 * For users who are load; for measured clients the library is as it comes.
 */
import Delta, { AttributeMap, type Op } from 'quill-delta';
import { TYPE, toDelta } from './document.ts';

/** Number of changes that are composed with each other before they are composed with the document. */
const HELD_BACK = 1024;
/** Number of changes that each document is ahead of the one created before it: all at once would hold the process up. */
const APART = 619;

let created = 0;

class GrowingText {
  #text: Delta;
  /** Each stands for as many changes as its `count`, a power of two, and for later ones than those before it. */
  #heldBack: { change: Delta; count: number }[] = [];
  #untilComposed = HELD_BACK - ((created++ * APART) % HELD_BACK);

  constructor(text: Delta) {
    this.#text = text;
  }

  /** Composes only changes that stand for equally many: so each change is composed log2(HELD_BACK) times, not with all. */
  add(change: Delta): this {
    let last = { change, count: 1 };
    while (this.#heldBack.at(-1)?.count === last.count) {
      const before = this.#heldBack.pop()!;
      last = { change: before.change.compose(last.change), count: 2 * last.count };
    }
    this.#heldBack.push(last);
    if (--this.#untilComposed === 0) this.#compose();
    return this;
  }

  /** As a delta has them. */
  get ops(): Op[] {
    this.#compose();
    return this.#text.ops;
  }

  /** As JSON has a delta. */
  toJSON(): { ops: Op[] } {
    return { ops: this.ops };
  }

  #compose(): void {
    const all = this.#heldBack.reduceRight<Delta | null>(
      (later, { change }) => (later === null ? change : change.compose(later)),
      null,
    );
    if (all !== null) this.#text = this.#text.compose(all);
    this.#heldBack = [];
    this.#untilComposed = HELD_BACK;
  }
}

type Stored = Op[] | { ops: Op[] };

export const QUICK_TYPE: typeof TYPE = {
  ...TYPE,
  create: (initial: Stored) => new GrowingText(toDelta(initial)),
  deserialize: (stored: Stored) => new GrowingText(toDelta(stored)),
  serialize: (text: GrowingText) => text.ops,
  apply: (text: GrowingText, change: Stored) => text.add(toDelta(change)),
  compose: (earlier: Stored, later: Stored) => toDelta(earlier).compose(toDelta(later)),
  transform: (change: Stored, other: Stored, side: string) =>
    toDelta(other).transform(toDelta(change), side === 'left'),
};

/**
 * Quill's deltas without deep copies, for all of this process, from now on. The stock library clones each operation that
 * becomes part of a delta, and its formats when two deltas are composed: a third of the work of many ShareDB users. The
 * editors here have formats of one level, and nobody changes an operation in place.
 */
export function quickenDeltas(): void {
  Object.assign(AttributeMap, { compose });
  Object.assign(Delta.prototype, { push });
}

/** As the stock one: what `later` sets, then what it leaves of `earlier`; null removes a format, and is kept on demand. */
function compose(earlier: AttributeMap = {}, later: AttributeMap = {}, keepNull = false): AttributeMap | undefined {
  const composed: AttributeMap = {};
  let isEmpty = true;
  for (const name in later) {
    if (later[name] === undefined || (later[name] === null && !keepNull)) continue;
    composed[name] = later[name];
    isEmpty = false;
  }
  for (const name in earlier) {
    if (earlier[name] === undefined || later[name] !== undefined) continue;
    composed[name] = earlier[name];
    isEmpty = false;
  }
  return isEmpty ? undefined : composed;
}

/** As the stock one: next to its like, an operation becomes one with it; and an insertion goes before a deletion. */
function push(this: Delta, added: Op): Delta {
  const { ops } = this;
  const goesBefore = added.insert !== undefined && ops.at(-1)?.delete !== undefined;
  const index = ops.length - (goesBefore ? 1 : 0);
  const merged = index > 0 ? merge(ops[index - 1]!, added) : null;
  if (merged !== null) ops[index - 1] = merged;
  else if (goesBefore) ops.splice(index, 0, added);
  else ops.push(added);
  return this;
}

function merge(before: Op, added: Op): Op | null {
  if (before.delete !== undefined) return added.delete === undefined ? null : { delete: before.delete + added.delete };
  const { attributes } = added;
  if (!areEqual(before.attributes, attributes)) return null;
  const formats = attributes === undefined ? {} : { attributes };
  if (typeof before.insert === 'string' && typeof added.insert === 'string') {
    return { insert: before.insert + added.insert, ...formats };
  }
  if (typeof before.retain === 'number' && typeof added.retain === 'number') {
    return { retain: before.retain + added.retain, ...formats };
  }
  return null;
}

function areEqual(one: AttributeMap | undefined, other: AttributeMap | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

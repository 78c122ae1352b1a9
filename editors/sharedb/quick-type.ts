/**
 * The rich-text type for processes that host many users: it holds changes back and composes them together. Stock, every
 * change of anybody's is composed with the whole document at once, which is most of what a hundred users in one process
 * do. What a document holds whenever it is asked for is the same.
 *
 * For users who are load; for measured clients the library is as it comes.
 */
import type Delta from 'quill-delta';
import type { Op } from 'quill-delta';
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

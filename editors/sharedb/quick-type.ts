/**
 * The rich-text type for processes that host many users: it holds changes back and composes them together. Stock, every
 * change of anybody's is composed with the whole document at once, which is most of what a hundred users in one process
 * do. What a document holds whenever it is asked for is the same.
 *
 * For users who are load; where a client is measured, the library is as it comes.
 */
import type Delta from 'quill-delta';
import type { Op } from 'quill-delta';
import { TYPE, toDelta } from './document.ts';

/** So many changes are composed with each other before they are composed with the document. */
const HELD_BACK = 64;

class GrowingText {
  #text: Delta;
  #changes: Delta | null = null;
  #held = 0;

  constructor(text: Delta) {
    this.#text = text;
  }

  add(change: Delta): this {
    this.#changes = this.#changes === null ? change : this.#changes.compose(change);
    if (++this.#held === HELD_BACK) this.#compose();
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
    if (this.#changes !== null) this.#text = this.#text.compose(this.#changes);
    this.#changes = null;
    this.#held = 0;
  }
}

type Stored = Op[] | { ops: Op[] };

export const QUICK_TYPE: typeof TYPE = {
  ...TYPE,
  create: (initial: Stored) => new GrowingText(toDelta(initial)),
  deserialize: (stored: Stored) => new GrowingText(toDelta(stored)),
  serialize: (text: GrowingText) => text.ops,
  apply: (text: GrowingText, change: Stored) => text.add(toDelta(change)),
};

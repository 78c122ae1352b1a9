/** A user's cursor, moved relative to where it is. It never ends up inside a character of two UTF-16 units. */
import type { Editor, Selection } from '../editor.ts';

/** Distances and lengths count UTF-16 units, and end where the document does. */
export class Cursor {
  readonly #editor: Editor;
  /** An editor that lost its selection keeps the cursor where it was last. */
  #last: Selection = { index: 0, length: 0 };
  /** How far before a stretch that it selected the cursor was. */
  #away = 0;

  /** Where the cursor was before it looked elsewhere, moved by changes as a cursor is; null: it does not look. */
  #home: number | null = null;

  constructor(editor: Editor) {
    this.#editor = editor;
    editor.on('text-change', (change) => {
      if (this.#home !== null) this.#home = change.transformPosition(this.#home, true);
    });
  }

  /** From the end of the selection, which ends. */
  readonly move = (distance: number): void => {
    const { index, length } = this.#selection();
    this.#moveTo(index + length + distance, 0);
  };

  /** Selects a stretch that begins so far from the start of the selection. */
  readonly select = (distance: number, length: number): void => this.visit(this.#selection().index + distance, length);

  /** The selection ends, and the cursor goes back to where it was before, also if the document ended sooner than that distance. */
  readonly unselect = (): void => this.leave(0);

  /** The cursor goes elsewhere and selects a stretch there, until `lookBack`. */
  readonly look = (distance: number, length: number): void => {
    this.#home = this.#selection().index;
    this.#moveTo(this.#home + distance, length);
  };

  /** To where it was, whatever was typed meanwhile. */
  readonly lookBack = (): void => {
    if (this.#home !== null) this.#moveTo(this.#home, 0);
    this.#home = null;
  };

  /** Selects a stretch, until `leave`. */
  visit(index: number, length: number): void {
    const before = this.#selection().index;
    this.#moveTo(index, length);
    this.#away = this.#last.index - before;
  }

  /** The cursor goes back to where it was before the visit. @param taken the length of the stretch if it was deleted, else 0 */
  leave(taken: number): void {
    const before = this.#selection().index - this.#away;
    this.#moveTo(this.#away < 0 ? before - taken : before, 0);
  }

  #selection(): Selection {
    this.#last = this.#editor.getSelection() ?? this.#last;
    return this.#last;
  }

  #moveTo(wanted: number, length: number): void {
    const end = this.#editor.getLength() - 1;
    const from = Math.min(Math.max(wanted, 0), end);
    const index = this.#splitsCharacter(from) ? from - 1 : from;
    const to = Math.min(index + length, end);
    this.#last = { index, length: (this.#splitsCharacter(to) ? to + 1 : to) - index };
    this.#editor.setSelection(this.#last.index, this.#last.length, 'user');
  }

  #splitsCharacter(index: number): boolean {
    return index > 0 && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(this.#editor.getText(index - 1, 2));
  }
}

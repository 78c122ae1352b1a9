/** A text and a cursor, on which tests perform edits as Chrome would. Positions count UTF-16 units. */
import type { Edit } from '../../traces/edits.ts';

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export class PlainEditor {
  text = '';
  cursor = 0;

  /** @throws RangeError if the edit reaches outside the text */
  perform(edit: Edit): void {
    this.cursor += edit.move;
    switch (edit.kind) {
      case 'key':
      case 'paste':
        this.#replace(this.cursor, this.cursor, edit.text);
        this.cursor += edit.text.length;
        return;
      case 'backspace':
        // Takes one code point; the joined ones that Chrome takes whole, no edit of this kind may meet.
        this.cursor -= this.text.codePointAt(this.cursor - 2)! > 0xffff ? 2 : 1;
        this.#replace(this.cursor, this.cursor + 1, '');
        return;
      case 'delete': {
        const { index, segment } = characters.segment(this.text).containing(this.cursor)!;
        this.#replace(this.cursor, index + segment.length, '');
        return;
      }
      case 'erase':
        this.#replace(this.cursor, this.cursor + edit.length, '');
        return;
      default:
        edit satisfies never;
    }
  }

  #replace(from: number, to: number, text: string): void {
    if (from < 0 || to > this.text.length) {
      throw new RangeError(`[${from}, ${to}) is not within [0, ${this.text.length})`);
    }
    this.text = this.text.slice(0, from) + text + this.text.slice(to);
  }
}

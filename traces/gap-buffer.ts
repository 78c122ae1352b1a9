/** A sequence of numbers that is cheap to edit near the place of the last edit: the free room of its array lies there. */

const INITIAL_CAPACITY = 1024;

export class GapBuffer {
  #cells: Uint32Array;
  #gapStart: number;
  #gapEnd: number;

  constructor(content: ArrayLike<number> = []) {
    this.#cells = new Uint32Array(content.length + INITIAL_CAPACITY);
    this.#cells.set(content);
    this.#gapStart = content.length;
    this.#gapEnd = this.#cells.length;
  }

  get length(): number {
    return this.#cells.length - (this.#gapEnd - this.#gapStart);
  }

  /** The number at `index`, which must lie in [0, length). */
  at(index: number): number {
    return this.#cells[index < this.#gapStart ? index : index + this.#gapEnd - this.#gapStart]!;
  }

  /** A copy of [from, to); what lies outside the sequence is left out. */
  slice(from = 0, to = this.length): Uint32Array {
    const start = Math.max(0, from);
    const copy = new Uint32Array(Math.max(0, Math.min(to, this.length) - start));
    for (let i = 0; i < copy.length; i++) copy[i] = this.at(start + i);
    return copy;
  }

  /**
   * As Array's splice.
   *
   * @throws RangeError if [position, position + deleted) is not a part of the sequence
   */
  splice(position: number, deleted: number, inserted: ArrayLike<number>): void {
    if (position < 0 || deleted < 0 || position + deleted > this.length) {
      throw new RangeError(`[${position}, ${position + deleted}) is not within [0, ${this.length})`);
    }
    this.#moveGap(position);
    this.#gapEnd += deleted;
    this.#reserve(inserted.length);
    this.#cells.set(inserted, this.#gapStart);
    this.#gapStart += inserted.length;
  }

  #moveGap(position: number): void {
    const distance = position - this.#gapStart;
    if (distance < 0) this.#cells.copyWithin(this.#gapEnd + distance, position, this.#gapStart);
    else this.#cells.copyWithin(this.#gapStart, this.#gapEnd, this.#gapEnd + distance);
    this.#gapStart += distance;
    this.#gapEnd += distance;
  }

  #reserve(room: number): void {
    if (this.#gapEnd - this.#gapStart >= room) return;
    const grown = new Uint32Array(2 * (this.length + room));
    const after = this.#cells.subarray(this.#gapEnd);
    grown.set(this.#cells.subarray(0, this.#gapStart));
    grown.set(after, grown.length - after.length);
    this.#gapEnd = grown.length - after.length;
    this.#cells = grown;
  }
}

/** Engines limit how many arguments a call takes; this is safe in all. */
const CHUNK = 8192;

export function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!);
}

export function unitsOf(text: string): number[] {
  const units = new Array<number>(text.length);
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  return units;
}

/** Of units it gives the text, too: halves of a pair that stand side by side are a character. */
export function textOf(codePoints: Uint32Array): string {
  let text = '';
  for (let i = 0; i < codePoints.length; i += CHUNK) text += String.fromCodePoint(...codePoints.subarray(i, i + CHUNK));
  return text;
}

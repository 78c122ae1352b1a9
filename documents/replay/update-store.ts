/** Keeps the updates of a replay for its remote side: outside of the heap that is measured, at a few nanoseconds each. */

/** What most engines' updates of one key take; where it is too little, the store grows. */
const EXPECTED_BYTES = 64;

export class UpdateStore {
  #bytes: Uint8Array;
  readonly #ends: Uint32Array;
  #count = 0;
  #end = 0;

  /** @param count how many there will be at most */
  constructor(count: number) {
    this.#bytes = new Uint8Array(count * EXPECTED_BYTES);
    this.#ends = new Uint32Array(count);
  }

  add(update: Uint8Array): void {
    const end = this.#end + update.length;
    if (end > this.#bytes.length) this.#grow(end);
    this.#bytes.set(update, this.#end);
    this.#ends[this.#count++] = end;
    this.#end = end;
  }

  /** Of all updates together. */
  get bytes(): number {
    return this.#end;
  }

  /** What the store holds of memory, written to or not. */
  get heldBytes(): number {
    return this.#bytes.length + this.#ends.byteLength;
  }

  /** In the order in which they came. */
  updates(): Uint8Array[] {
    return Array.from({ length: this.#count }, (_, index) =>
      this.#bytes.subarray(index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]),
    );
  }

  #grow(least: number): void {
    const grown = new Uint8Array(2 * least);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/**
 * Collabs stores text as a list of whole characters, in which an emoji is one element; editors count UTF-16 units, in
 * which it is two. This knows where the characters of two units stand and turns one kind of index into the other.
 */
export interface WideCharacters {
  /** The element that begins at a UTF-16 index, or that it splits. */
  toElement(unit: number): number;
  toUnit(element: number): number;
  inserted(element: number, characters: readonly string[]): void;
  deleted(element: number, count: number): void;
}

export function createWideCharacters(): WideCharacters {
  /** Elements of two units, in ascending order. Mostly none, so conversions mostly cost nothing. */
  let wide: number[] = [];
  return {
    toElement(unit) {
      // The k-th wide element begins k units later than its index says.
      return unit - countWhile(wide, (element, k) => element + k < unit);
    },
    toUnit(element) {
      return element + countWhile(wide, (each) => each < element);
    },
    inserted(element, characters) {
      const before = wide.filter((each) => each < element);
      const after = wide.slice(before.length).map((each) => each + characters.length);
      const added = characters.flatMap((character, k) => (character.length === 2 ? [element + k] : []));
      wide = [...before, ...added, ...after];
    },
    deleted(element, count) {
      const end = element + count;
      wide = wide.filter((each) => each < element || each >= end).map((each) => (each < end ? each : each - count));
    },
  };
}

/** Number of leading items that fulfil the condition; all items up to some point do, and none after that point. */
function countWhile(items: readonly number[], holds: (item: number, index: number) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle]!, middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

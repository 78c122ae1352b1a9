/** CBOR (RFC 8949) as far as automerge-repo's messages use it. */

export type Written = string | Uint8Array | readonly string[] | { readonly [key: string]: Written };
type Read = string | number | boolean | null | Uint8Array | Read[] | { [key: string]: Read };

const [UNSIGNED, BYTES, TEXT, LIST, MAP, TAG, SIMPLE] = [0, 2, 3, 4, 5, 6, 7];
const [FALSE, TRUE] = [20, 21];
/** From here on, the low five bits of a head tell how many bytes behind it hold a number; below, they are the number. */
const FIRST_LONG = 24;

/** @throws RangeError if a part of it has 256 bytes or members, or more: no message here is so long */
export function encodeCbor(value: Written): Uint8Array {
  if (typeof value === 'string') {
    const text = new TextEncoder().encode(value);
    return headed(TEXT, text.length, [text]);
  }
  if (value instanceof Uint8Array) return headed(BYTES, value.length, [value]);
  if (Array.isArray(value)) return headed(LIST, value.length, value.map(encodeCbor));
  const entries: [string, Written][] = Object.entries(value);
  return headed(MAP, entries.length, entries.flat().map(encodeCbor));
}

function headed(major: number, size: number, parts: readonly Uint8Array[]): Uint8Array {
  if (size > 0xff) throw new RangeError(`${size} is more than any message here holds`);
  const head = size < FIRST_LONG ? [(major << 5) | size] : [(major << 5) | FIRST_LONG, size];
  return new Uint8Array(Buffer.concat([Uint8Array.from(head), ...parts]));
}

/** @throws RangeError if it is cut off, or has a form that these messages do not have */
export function decodeCbor(bytes: Uint8Array): unknown {
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError('it is cut off');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const number = (length: number): number => take(length).reduce((sum, byte) => 256 * sum + byte, 0);
  const read = (): Read => {
    const head = number(1);
    const [major, low] = [head >> 5, head & 0b11111];
    const size = low < FIRST_LONG ? low : number(2 ** (low - FIRST_LONG));
    if (major === SIMPLE) return low === TRUE || (low === FALSE ? false : null);
    if (major === UNSIGNED) return size;
    if (major === TAG) return read();
    if (major === BYTES) return take(size);
    if (major === TEXT) return new TextDecoder().decode(take(size));
    // As they are read: a size is anybody's word, and lists in lists may each claim a large one.
    const several = <T>(one: () => T) => {
      const members: T[] = [];
      while (members.length < size) members.push(one());
      return members;
    };
    if (major === LIST) return several(read);
    if (major === MAP) return Object.fromEntries(several(() => [String(read()), read()]));
    throw new RangeError(`it has a part of the form ${major}`);
  };
  return read();
}

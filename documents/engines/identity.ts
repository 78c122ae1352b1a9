/**
 * Identities of replicas, as wide as users get them from each library: an identity stands in most of what is sent and saved, and
 * a small number would take less room than any real one does.
 */
import * as prng from 'lib0/prng';

const FRACTION_BYTES = 6;
const FRACTION = 2 ** (8 * FRACTION_BYTES);

/** The identity of those bytes with which every replica begins, for libraries that need some. */
export const COMMON_START = 0.618;

/**
 * Draws the identities of some replicas, the same for the same seed.
 *
 * @returns numbers in [0, 1), of which each engine makes identities of its own kind in the same order
 */
export function drawIdentities(seed: number, count: number): number[] {
  const generator = prng.create(seed);
  return Array.from({ length: count }, () => prng.real53(generator));
}

/** @param bits 53 at most */
export function wholeNumberOf(identity: number, bits: number): number {
  return Math.floor(identity * 2 ** bits);
}

export function bytesOf(identity: number, count: number): Buffer {
  const start = Math.floor(identity * FRACTION);
  const generator = prng.create(start);
  const bytes = Buffer.from(
    Array.from({ length: Math.max(count, FRACTION_BYTES) }, () => prng.int32(generator, 0, 255)),
  );
  bytes.writeUIntBE(start, 0, FRACTION_BYTES);
  return bytes.subarray(0, count);
}

/** @param alphabet in the order of its characters' codes */
export function lettersOf(identity: number, count: number, alphabet: string): string {
  let rest = BigInt(`0x${bytesOf(identity, count).toString('hex')}`);
  const all = 256n ** BigInt(count);
  return Array.from({ length: count }, () => {
    rest *= BigInt(alphabet.length);
    const letter = alphabet[Number(rest / all)]!;
    rest %= all;
    return letter;
  }).join('');
}

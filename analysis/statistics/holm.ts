/** Which of many comparisons hold together. */

/** How rarely chance may give a single false finding, among all comparisons that are judged together. */
export const FAMILY_ERROR = 0.05;

/**
 * Whether each comparison is a finding, so that the chance of even one false one among them all is at most
 * `FAMILY_ERROR`, however they hang together: the smallest p must be below 1/m of it, the next below 1/(m - 1), and so
 * on, until one is not.
 *
 * @returns in the order of `ps`
 * @see Holm 1979, "A simple sequentially rejective multiple test procedure"
 */
export function areFindings(ps: readonly number[]): boolean[] {
  const ascending = ps.map((_, index) => index).sort((a, b) => ps[a]! - ps[b]!);
  const firstFailing = ascending.findIndex((index, rank) => ps[index]! > FAMILY_ERROR / (ps.length - rank));
  const found = new Set(firstFailing === -1 ? ascending : ascending.slice(0, firstFailing));
  return ps.map((_, index) => found.has(index));
}

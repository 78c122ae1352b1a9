/** Which of many comparisons hold together. */

/** How rarely chance may give a single false finding, among all comparisons that are judged together. */
export const FAMILY_ERROR = 0.05;

/**
 * Findings among m comparisons. The chance of even one false finding is at most `FAMILY_ERROR`, however the comparisons
 * depend on each other. The smallest p must be below 1/m of that error, the next below 1/(m - 1), until one is not.
 *
 * @returns true for a finding, in the order of `ps`
 * @see Holm 1979, "A simple sequentially rejective multiple test procedure"
 */
export function areFindings(ps: readonly number[]): boolean[] {
  const ascending = ps.map((_, index) => index).sort((a, b) => ps[a]! - ps[b]!);
  const firstFailing = ascending.findIndex((index, rank) => ps[index]! > FAMILY_ERROR / (ps.length - rank));
  const found = new Set(firstFailing === -1 ? ascending : ascending.slice(0, firstFailing));
  return ps.map((_, index) => found.has(index));
}

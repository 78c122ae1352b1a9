/** "Did you mean": the known word that a misspelt one is most likely meant to be. */

/** Spelling only: `warm_up`, `warm-up` and `warmup` are the same slip for `warmUp`. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, '');
}

/**
 * The candidate fewest typing slips away from `word`.
 *
 * @returns null if none is near: more than a third of the word's letters, or more than three, would have to change
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const limit = Math.min(3, Math.ceil(word.length / 3));
  let best: { candidate: string; slips: number } | null = null;
  for (const candidate of candidates) {
    const slips = editDistance(plain(word), plain(candidate));
    if (slips <= limit && (best === null || slips < best.slips)) best = { candidate, slips };
  }
  return best?.candidate ?? null;
}

/** ` (did you mean "…"?)`, for a message; empty if no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === null ? '' : ` (did you mean "${meant}"?)`;
}

/** The candidates, those first that hold the word, then those fewest typing slips away. */
export function nearestFirst(word: string, candidates: readonly string[]): string[] {
  const slipsTo = (candidate: string) =>
    plain(candidate).includes(plain(word)) ? -1 : editDistance(plain(word), plain(candidate));
  const slips = new Map(candidates.map((candidate) => [candidate, slipsTo(candidate)]));
  return candidates.toSorted((one, other) => slips.get(one)! - slips.get(other)!);
}

/**
 * Number of single-character insertions, deletions and replacements between two words.
 *
 * @see Wagner & Fischer 1974, "The String-to-String Correction Problem"
 */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}

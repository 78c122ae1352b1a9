/** Rounds of the same cell in two ways, by turns; and if the figures of one way are equivalent to those of the other. */
import { areEquivalent, areFindings, type Equivalence } from '../../analysis/statistics/welch.ts';
import type { CellSummary } from '../../results/formats/summary.ts';

/** A trial in each way, with the same keys and seed. */
export type RoundOf<Way extends string> = Record<Way, CellSummary>;

/**
 * @param count   how many rounds, each with a seed of its own
 * @param label   before the reasons of a trial, on stderr
 * @param measure one trial
 */
export async function measureRounds<Way extends string>(
  ways: readonly Way[],
  { count, label }: { count: number; label: string },
  measure: (way: Way, seed: number) => Promise<CellSummary>,
): Promise<RoundOf<Way>[]> {
  const rounds: RoundOf<Way>[] = [];
  for (let seed = 1; seed <= count; seed++) {
    const measured: [Way, CellSummary][] = [];
    // By turns the first: a machine that warms up favours nobody.
    for (const way of seed % 2 === 0 ? ways : ways.toReversed()) {
      const summary = await measure(way, seed);
      for (const reason of summary.reasons) console.error(`${label}, ${way}, ${seed}: ${reason}`);
      measured.push([way, summary]);
    }
    rounds.push(Object.fromEntries(measured) as RoundOf<Way>);
  }
  return rounds;
}

export interface BenchFigure {
  name: string;
  of: (cell: CellSummary) => number | null;
  /** The ratio lies within 1 ÷ (1 + it) and 1 + it. */
  bound: number;
}

/** `equal`: within the bound; `not equal`: it differs, and is not shown to do so within the bound. */
export type Shown = 'equal' | 'not equal' | 'not known';

/** A figure of the first way and of the second. */
export type Compared<Figure extends BenchFigure> = Figure & {
  /** Rounds in which both trials were valid. */
  pairs: number;
  /** Means over them; null if there are none, or one lacks the figure. */
  means: readonly [first: number | null, second: number | null];
  /** Null if there are fewer than two pairs, or one lacks the figure. */
  found: Equivalence | null;
  /** Of all figures together: the chance of even one wrong `equal` is 5 %, and so is that of one wrong `not equal`. */
  shown: Shown;
};

/** @param rounds in which a trial is not valid count for nothing */
export function compareFigures<Figure extends BenchFigure, Way extends string>(
  figures: readonly Figure[],
  rounds: readonly RoundOf<Way>[],
  [first, second]: readonly [Way, Way],
): Compared<Figure>[] {
  const valid = rounds.filter((round) => round[first].verdict === 'valid' && round[second].verdict === 'valid');
  const compared = figures.map((each) => {
    const { of, bound } = each;
    const ofRounds = valid.map((round) => [of(round[first]), of(round[second])] as const);
    const known = ofRounds.map(([one, other]) => [one ?? Number.NaN, other ?? Number.NaN] as const);
    const means = [meanOf(ofRounds.map(([one]) => one)), meanOf(ofRounds.map(([, other]) => other))] as const;
    return { ...each, pairs: valid.length, means, found: areEquivalent(known, bound) };
  });
  const findings = (p: 'pWithin' | 'pDiffers') => areFindings(compared.map(({ found }) => found?.[p] ?? 1));
  const [within, differs] = [findings('pWithin'), findings('pDiffers')];
  return compared.map((each, index) => ({
    ...each,
    shown: within[index] ? 'equal' : differs[index] ? 'not equal' : 'not known',
  }));
}

/** Null if there are none, or one is missing. */
function meanOf(figures: readonly (number | null)[]): number | null {
  if (figures.length === 0 || figures.includes(null)) return null;
  return figures.reduce<number>((sum, each) => sum + each!, 0) / figures.length;
}

/** The frameworks of one run, trial by trial: which was quickest, and if that is more than chance. */

import { QUICKNESS } from '../figures/catalogue.ts';
import { figureOf } from '../figures/figure.ts';
import { countOf, joined } from '../figures/figure-text.ts';
import { pairsOfTrials, TIER_TITLES } from '../scenarios/cell.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { NOT_GATHERED } from '../verdict/figure-checks.ts';
import type { ComparedCell, ComparedRun } from './compared-run.ts';
import { comparePairedFigure, correctForMany, type FigureChange } from './figure-change.ts';

/** A round alone differs by more. */
const ABOUT_EQUAL = 1.1;

/**
 * Sentences about the median end-to-end latency of each two cells that differ in framework alone. Trials of one number ran
 * one after another on the same typing, so they are compared as pairs, and corrected for all pairs of the run.
 *
 * @param run       a run of several frameworks
 * @param doCareful completes the advice if there are too few trials, such as "add --careful"
 */
export function quickestOf({ cells }: Pick<ComparedRun, 'cells'>, doCareful: string): string[] {
  const groups = Map.groupBy(cells, ({ parameters }) => JSON.stringify({ ...parameters, framework: null }));
  const pairs = [...groups.values()].flatMap((group) => {
    const ranked = group
      .filter((cell) => figureOf(cell, QUICKNESS) !== null)
      .toSorted((a, b) => medianOf(a) - medianOf(b));
    return ranked.flatMap((first, index) => ranked.slice(index + 1).map((second) => ({ ranked, first, second })));
  });
  const changes = pairs.map(({ first, second }) =>
    comparePairedFigure(QUICKNESS, pairsOfTrials(first, second, QUICKNESS.name)),
  );
  const { corrected } = correctForMany(changes);
  return pairs
    .flatMap(({ ranked, first, second }, index) =>
      first === ranked[0] ? [sentence({ first, second, change: corrected[index]!, doCareful })] : [],
    )
    .concat(tierSentence(cells), gatheringSentence(cells));
}

function sentence(pair: {
  first: ComparedCell;
  second: ComparedCell;
  change: FigureChange;
  doCareful: string;
}): string {
  const { first, second, change, doCareful } = pair;
  const [quicker, slower] = [first, second].map(({ parameters }) => parameters.framework);
  const times = `${medianOf(first).toFixed(0)} against ${medianOf(second).toFixed(0)} ms`;
  if (change.word === 'slower' && change.ci95 !== null) {
    const [from, to] = [change.ci95.low, change.ci95.high].map((end) => end.toFixed(0));
    return `${quicker} is quicker than ${slower}: ${times}; ${slower} takes ${from} to ${to} % longer, more than chance explains.`;
  }
  // Medians may be of other rounds than those that both have.
  if (change.trials.base === 0)
    return `Between ${quicker} and ${slower} nothing is shown: ${times}, in no common round.`;
  if (change.trials.base < MIN_TRIALS) {
    const rounds = countOf(change.trials.base, 'round');
    if (medianOf(second) <= ABOUT_EQUAL * medianOf(first)) {
      return `${quicker} and ${slower} are about equal: ${times.replace('against', 'and')}, in ${rounds}.`;
    }
    return `${quicker} was quicker than ${slower}: ${times}, in ${rounds}. If that is chance, ${MIN_TRIALS} rounds tell: ${doCareful}.`;
  }
  const doubt = change.word === 'faster' ? 'but their common rounds say the opposite' : 'which may be chance';
  return `Between ${quicker} and ${slower} no difference is shown: ${times}, ${doubt}.`;
}

function medianOf(cell: ComparedCell): number {
  return figureOf(cell, QUICKNESS)!;
}

/** The batches of the others are part of their latency. */
function gatheringSentence(cells: readonly ComparedCell[]): string[] {
  const unlike = cells.filter(({ messages }) =>
    messages.some(({ code }) => NOT_GATHERED.some((each) => each === code)),
  );
  const names = [...new Set(unlike.map(({ parameters }) => String(parameters.framework)))];
  if (names.length === 0) return [];
  return [
    `Latencies of ${joined(names)} lack the wait for batches that the others' hold: they gather otherwise than asked.`,
  ];
}

/** A relay does less than a server of one's own. */
function tierSentence(cells: readonly ComparedCell[]): string[] {
  const tiers = Map.groupBy(cells, ({ tier }) => tier);
  if (tiers.size < 2) return [];
  const told = [...tiers].map(([tier, of]) => {
    const names = [...new Set(of.map(({ parameters }) => String(parameters.framework)))];
    const title =
      names.length === 1 ? TIER_TITLES[tier].replace('their own servers', 'its own server') : TIER_TITLES[tier];
    return `${joined(names)} ${title}`;
  });
  return [`Their servers do different work: ${told.join('; ')}. Within one kind a comparison is fair.`];
}

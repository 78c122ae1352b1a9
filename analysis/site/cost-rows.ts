/** Capacity cards as rows of the site: a framework each, with its unit costs as columns. */
import { type Card, kindsOf } from '../campaign/cards.ts';
import { aboutCell } from '../cell/messages.ts';
import type { Question, Row } from '../page/page-data.ts';
import { BARE_CELL } from '../scenarios/cell.ts';
import { onlyKnown } from '../statistics/quantile.ts';

/** None if nobody asked for unit costs. */
export function costQuestions(cards: readonly Card[]): Question[] {
  const columns = [...kindsOf(cards).values()].map(({ name, label, unit, what, better }) => {
    return { name, label, unit, what, better, scale: 'linear' as const, bound: null };
  });
  if (columns.length === 0) return [];
  const title = 'What does a unit of use cost a server?';
  return [{ id: 'costs', tab: 'costs', title, kind: 'costs', who: 'framework', columns, range: null }];
}

/** @param runOf the place of the run that an experiment's name leads to */
export function costRows(cards: readonly Card[], runOf: (experiment: string) => number): Row[] {
  return cards.map(({ framework, version, tier, costs, cautions, measured }): Row => {
    const blocks = costs[0]!.replicates.length;
    return {
      kind: 'costs',
      run: runOf(measured[0]!.experiment),
      name: framework,
      parameters: { framework },
      verdict: 'valid',
      messages: cautions.map((text) => aboutCell('caution', 'care', text)),
      figures: Object.fromEntries(costs.map(({ name, mean }) => [name, mean])),
      ci95: Object.fromEntries(costs.map(({ name, ci95 }) => [name, ci95])),
      replicates: Object.fromEntries(costs.map(({ name, replicates }) => [name, onlyKnown(replicates)])),
      ...{ tier, version, trials: blocks, validTrials: blocks, failedTrials: 0 },
      ...BARE_CELL,
      ...{ isOfPlayedCrowd: false, flags: '', texts: {} },
    };
  });
}

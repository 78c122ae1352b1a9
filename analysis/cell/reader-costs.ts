/** Costs of a reader: slopes over cells that differ in their number of readers alone. Browser-safe. */
import { modeWithout, readersIn } from '../../results/formats/run-directory.ts';
import type { ReaderCost } from '../../results/formats/summary.ts';
import { figuresIn } from '../figures/catalogue.ts';
import { EDIT_RATE } from '../figures/company-figures.ts';
import type { Figure } from '../figures/figure.ts';
import { US_PER_CPU_PERCENT } from '../figures/resource-figures.ts';
import { pointsOfTrials, type TypingCell } from '../scenarios/cell.ts';
import { fitLine } from '../statistics/interval.ts';
import { fourDigits, meanOfKnown } from '../statistics/quantile.ts';

/** The figures whose growth with the readers is told. */
export const READER_FIGURES: readonly Figure[] = figuresIn('readers');

type ReaderCell = Pick<TypingCell, 'parameters' | 'ran'>;

/** One for each framework, mode and number of users that has run with two numbers of readers, in the order of the cells. */
export function readerCosts(cells: readonly ReaderCell[]): ReaderCost[] {
  const groups = Map.groupBy(cells, ({ parameters: { framework, mode, users } }) =>
    JSON.stringify([framework, modeWithout(mode, 'readers'), users]),
  );
  return [...groups.values()].flatMap((group) => {
    const { framework, mode, users } = group[0]!.parameters;
    const readers = [...new Set(group.map(readersOf))].sort((a, b) => a - b);
    if (readers.length < 2) return [];
    const costs = READER_FIGURES.flatMap((figure) => costOf(group, figure));
    // Nobody sees what an attached server takes, unless its process is named.
    return costs.length === 0 ? [] : [{ framework, mode: modeWithout(mode, 'readers'), users, readers, costs }];
  });
}

/** A figure's own unit for each reader; of CPU also µs for each reader and edit. */
function costOf(cells: readonly ReaderCell[], { name, unitOf }: Figure): ReaderCost['costs'] {
  const line = fitLine(pointsOfTrials(cells, name, readersOf));
  if (line === null) return [];
  const { slope, interval } = line;
  const times = (factor: number) => ({
    value: fourDigits(slope * factor),
    ci95: interval && { low: fourDigits(interval.low * factor), high: fourDigits(interval.high * factor) },
  });
  const edits = meanOfKnown(pointsOfTrials(cells, EDIT_RATE.name, readersOf).map(({ y }) => y));
  const isCpu = unitOf === 'of a core';
  return [{ figure: name, perReader: times(1), usPerEdit: isCpu && edits ? times(US_PER_CPU_PERCENT / edits) : null }];
}

function readersOf({ parameters }: ReaderCell): number {
  return readersIn(parameters.mode);
}

/** Costs of a store, and of several servers: differences from the cell without, and what only such a cell has. */
import { serversIn, storeIn } from '../../results/formats/run-directory.ts';
import type { BackingCost } from '../../results/formats/summary.ts';
import { BACKING_COSTS, type Backing, costsOf, hasBacking } from '../cell/backing-costs.ts';
import { figuresIn } from '../figures/catalogue.ts';
import { type Figure, longUnit } from '../figures/figure.ts';
import { formatEstimate, formatFigureOf, NOTHING } from '../figures/figure-text.ts';
import { type CaptionedTable, type ColumnOf, left, right, tabulate } from '../tables/table.ts';
import { cellColumns, type ReportCell, type ReportData } from './report-data.ts';

const TITLES: Readonly<Record<Backing, string>> = {
  store: 'What a store costs',
  servers: 'What several servers cost',
};

const NOTES: Readonly<Record<Backing, string>> = {
  store:
    '+: more than with documents in memory alone, in the same run; ×: so many times as long. The last columns are the store’s own.',
  servers:
    '+: more than with one server, in the same run; ×: so many times as long. The last columns are of several servers alone.',
};

const INTERVALS =
  'Over trials with the same typing. In brackets: the 95 % interval of the difference, where there are three or more.';

/** None has rows where no cell has a store, or several servers. */
export function backingTables(data: Pick<ReportData, 'cells' | 'runs'>): CaptionedTable[] {
  return (['store', 'servers'] as const).map((of) => backingTable(data, of));
}

function backingTable({ cells, runs }: Pick<ReportData, 'cells' | 'runs'>, of: Backing): CaptionedTable {
  const backed = cells.filter((cell) => cell.validTrials > 0 && hasBacking(of, cell));
  const known = figuresIn(of).filter(({ name, isSeldom }) => isSeldom && backed.some(({ figures }) => name in figures));
  const costs = new Map(
    backed.map((cell) => [
      cell,
      costsOf(
        of,
        cell,
        cells.filter(({ run }) => run === cell.run),
      ),
    ]),
  );
  const headingOf = (figure: Figure) => `${figure.label}, ${longUnit(figure)}`;
  const columns: ColumnOf<ReportCell>[] = [
    ...cellColumns({ runs }),
    { ...left('store'), text: ({ parameters: { mode } }) => storeIn(mode) ?? 'memory' },
    { ...right('servers'), text: ({ parameters: { mode } }) => String(serversIn(mode)) },
    { ...right('users'), text: ({ parameters: { users } }) => String(users) },
    ...BACKING_COSTS[of].map((figure): ColumnOf<ReportCell> => {
      const heading = figure.scale === 'log' ? figure.label : headingOf(figure);
      return { ...right(heading), text: (cell) => costText(costs.get(cell)!, figure) };
    }),
    ...known.map((figure): ColumnOf<ReportCell> => {
      return { ...right(headingOf(figure)), text: (cell) => formatFigureOf(figure, cell) };
    }),
  ];
  return { ...tabulate(columns, backed), id: `cost-of-${of}`, title: TITLES[of], notes: [NOTES[of], INTERVALS] };
}

/** Nothing if the cell without it has not run, or lacks the figure. */
function costText(costs: BackingCost['costs'], { name }: Figure): string {
  const cost = costs.find(({ figure }) => figure === name);
  if (cost === undefined) return NOTHING;
  const { is, value, ci95 } = cost;
  const between = ci95 === null ? '' : ` (${formatEstimate(ci95.low)} to ${formatEstimate(ci95.high)})`;
  if (is === 'times') return `× ${formatEstimate(value)}${between}`;
  return `${value > 0 ? '+' : ''}${formatEstimate(value)}${between}`;
}

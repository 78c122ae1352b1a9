/**
 * The cost of what some cells have on top of others: of a framework over the baseline, of each reader, of a store and of several servers;
 * and what servers of somebody else tell by themselves.
 */
import { serversIn, storeIn } from '../../results/formats/run-directory.ts';
import type { BackingCost, ReaderCost } from '../../results/formats/summary.ts';
import { BACKING_COSTS, type Backing, costsOf, hasBacking } from '../cell/backing-costs.ts';
import { READER_FIGURES, readerCosts } from '../cell/reader-costs.ts';
import { figuresIn } from '../figures/catalogue.ts';
import { type Figure, figureOf, longUnit } from '../figures/figure.ts';
import { formatAmount, formatEstimate, formatFigure, formatFigureOf, NOTHING } from '../figures/figure-text.ts';
import { seriesFigure, seriesIn } from '../figures/server-series.ts';
import { isBaselineIn } from '../scenarios/cell.ts';
import { type CaptionedTable, type ColumnOf, left, right, tabulate } from '../tables/table.ts';
import { cellColumns, type ReportCell, runColumn, runText, type TypingReport } from './report-data.ts';

type Cells = Pick<TypingReport, 'cells' | 'runs'>;

const USERS: ColumnOf<ReportCell> = { ...right('users'), text: ({ parameters }) => String(parameters.users) };

/**
 * Has no rows where no run has cells of the baseline with the mode and users of others.
 *
 * @param all where the baseline is looked for: it is of one tier, and the baseline of every other too
 */
export function marginalTable({ cells, runs }: Cells, all: readonly ReportCell[] = cells): CaptionedTable {
  const isBaseline = ({ run, parameters }: ReportCell) => isBaselineIn(runs[run]!.environment, parameters.framework);
  const baselines = measuredOf(all).filter(isBaseline);
  const baselineOf = (cell: ReportCell) => baselines.findLast((each) => conditionsOf(each) === conditionsOf(cell));
  const baselineNames = [...new Set(baselines.map(({ parameters }) => parameters.framework))].join(', ');
  const columns: ColumnOf<ReportCell>[] = [
    ...cellColumns({ runs }),
    USERS,
    ...figuresIn('baseline').map((figure): ColumnOf<ReportCell> => {
      return { ...right(figure.short), text: (cell) => differenceText(figure, cell, baselineOf(cell)!) };
    }),
  ];
  const costly = measuredOf(cells).filter((cell) => baselineOf(cell) !== undefined && !isBaseline(cell));
  return {
    ...tabulate(columns, costly),
    id: 'marginal',
    title: `Cost over ${baselineNames}, of the same run, mode and users`,
    notes: [
      `What ${baselineNames} takes is the editor’s, Chrome’s, the harness’s and a relay’s: Chrome’s shared processes drop out, so these figures compare between user counts.`,
    ],
  };
}

function measuredOf(cells: readonly ReportCell[]): ReportCell[] {
  return cells.filter(({ validTrials }) => validTrials > 0);
}

function conditionsOf({ run, parameters: { mode, users } }: ReportCell): string {
  return JSON.stringify([run, mode, users]);
}

function differenceText(figure: Figure, cell: ReportCell, baseline: ReportCell): string {
  const [value, base] = [figureOf(cell, figure), figureOf(baseline, figure)];
  return value === null || base === null ? NOTHING : formatFigure(value - base);
}

/** Has no rows where no framework has run with two numbers of readers. */
export function readersTable({ cells, runs }: Cells): CaptionedTable {
  const rows = runs.flatMap((_, run) =>
    readerCosts(cells.filter((cell) => cell.run === run)).map(({ framework, mode, users, readers, costs }) => {
      const texts = READER_FIGURES.flatMap(({ name, unitOf }) => {
        const cost = costs.find(({ figure }) => figure === name);
        return [perReaderText(cost?.perReader), ...(unitOf === undefined ? [] : [perReaderText(cost?.usPerEdit)])];
      });
      return [...runText({ runs }, run), framework, mode, String(users), readers.join(', '), ...texts];
    }),
  );
  const headings = READER_FIGURES.flatMap(({ label, unit, unitOf }) => [
    `${label}, ${unit}`,
    ...(unitOf === undefined ? [] : ['µs per edit']),
  ]);
  const numbers = ['users', 'readers', ...headings].map((heading) => right(heading));
  return {
    id: 'readers',
    title: 'What each reader adds',
    columns: [...runColumn({ runs }), left('framework'), left('mode'), ...numbers],
    rows,
    notes: [
      'The slope of a straight line over the numbers of readers, one point per trial. In brackets: its 95 % interval. Per edit: of each edit that anybody made, for each reader.',
    ],
  };
}

function perReaderText(cost: ReaderCost['costs'][number]['usPerEdit'] | undefined): string {
  if (cost === null || cost === undefined) return NOTHING;
  const digits = (value: number) => String(Number(value.toPrecision(2)));
  const { value, ci95 } = cost;
  return ci95 === null ? digits(value) : `${digits(value)} (${digits(ci95.low)}–${digits(ci95.high)})`;
}

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
export function backingTables(data: Cells): CaptionedTable[] {
  return (['store', 'servers'] as const).map((of) => backingTable(data, of));
}

function backingTable({ cells, runs }: Cells, of: Backing): CaptionedTable {
  const backed = cells.filter((cell) => cell.validTrials > 0 && hasBacking(of, cell));
  const known = figuresIn(of).filter(({ name, isSeldom }) => isSeldom && backed.some(({ figures }) => name in figures));
  const besideOf = (cell: ReportCell) => cells.filter(({ run }) => run === cell.run);
  const costs = new Map(backed.map((cell) => [cell, costsOf(of, cell, besideOf(cell))]));
  const headingOf = (figure: Figure) => `${figure.label}, ${longUnit(figure)}`;
  const columns: ColumnOf<ReportCell>[] = [
    ...cellColumns({ runs }),
    { ...left('store'), text: ({ parameters: { mode } }) => storeIn(mode) ?? 'memory' },
    { ...right('servers'), text: ({ parameters: { mode } }) => String(serversIn(mode)) },
    USERS,
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

/** A column for each series that servers tell. Has no rows where none was asked for. */
export function seriesTable({ cells, runs }: Cells): CaptionedTable {
  const told = cells.filter(({ figures }) => seriesIn(figures).length > 0);
  const names = [...new Set(told.flatMap(({ figures }) => seriesIn(figures)))];
  const columns: ColumnOf<ReportCell>[] = [
    ...cellColumns({ runs }),
    USERS,
    ...names.map((name): ColumnOf<ReportCell> => ({ ...right(name), text: (cell) => amountText(cell, name) })),
  ];
  return {
    ...tabulate(columns, told),
    id: 'server-series',
    title: 'What the servers tell',
    notes: [
      'Summed over labels. A gauge’s mean over the measured window; with /s, by how much a counter grew per second. The mean over valid trials; in brackets: each of several.',
    ],
  };
}

function amountText({ figures, ran }: ReportCell, series: string): string {
  const name = seriesFigure(series);
  const ofTrials = ran.flatMap((trial) => trial.figures?.[name] ?? []);
  const each = ofTrials.length > 1 ? ` (${ofTrials.map(formatAmount).join('; ')})` : '';
  return `${formatAmount(figures[name])}${each}`;
}

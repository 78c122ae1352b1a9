/** The tables of a report: those of the paper, from one's own runs; how many users each framework carried. */

import type { PublishedTable } from '../../results/published/study.ts';
import { maxUsersOf } from '../cell/max-users.ts';
import { figuresIn, HEADLINE_FIGURES } from '../figures/catalogue.ts';
import { type Figure, type HeadlineFigure, titleOf } from '../figures/figure.ts';
import { countOf, formatFigureOf, formatHeadline, HELD_ONCE, NOTHING } from '../figures/figure-text.ts';
import { groupByTier, type MeasuredRun, type TierGroup } from '../scenarios/cell.ts';
import { INTERVAL_MEANING, MIN_TRIALS } from '../statistics/interval.ts';
import { type CaptionedTable, type ColumnOf, left, right, type Table, tabulate } from '../tables/table.ts';
import { besidePaper } from './beside-paper.ts';
import { backingTables, marginalTable, readersTable, seriesTable } from './cost-tables.ts';
import { scalingTable } from './growth-tables.ts';
import { cellColumns, type ReportCell, runColumn, runText, type TypingReport } from './report-data.ts';
import { resilienceTables } from './resilience-tables.ts';
import { sharedByAll, tabulateCells } from './summary-table.ts';

/** All tables but the main one, in the order of reading; `users` is the user count of the resource table. */
export function makeTables(data: TypingReport, users: number | null = chooseUsers(data)): CaptionedTable[] {
  const makers: ((own: TypingReport) => CaptionedTable[])[] = [
    (own) => [maxUsersTable(own)],
    resilienceTables,
    ...HEADLINE_FIGURES.map((figure) => (own: TypingReport) => figureTables(own, figure)),
    (own) => [marginalTable(own, data.cells)],
    (own) => [scalingTable(own)],
    (own) => [readersTable(own)],
    backingTables,
    (own) => [seriesTable(own)],
    (own) => (users === null ? [] : userCountTables(own, users)),
  ];
  return makers.flatMap((make) => tierTables(data, make)).filter(({ rows }) => rows.length > 0);
}

/** The exponents, what readers, a store and several servers cost, and what servers of others tell; a table without rows holds notes only. */
export function scalingTables(data: Pick<TypingReport, 'cells' | 'runs'>): CaptionedTable[] {
  return tierTables(data, (own) => [scalingTable(own), readersTable(own), ...backingTables(own), seriesTable(own)]);
}

/** Tables that are made of some cells, for each tier by itself. */
export function tierTables<Data extends Pick<TypingReport, 'cells' | 'runs'>>(
  data: Data,
  make: (own: Data) => CaptionedTable[],
): CaptionedTable[] {
  const tiers = groupByTier(data.cells);
  return tiers.flatMap((tier) => make({ ...data, cells: tier.items }).map((table) => ofTier(table, tier)));
}

/** Names a table's tier, where there are others. */
export function ofTier(
  table: CaptionedTable,
  { tier, title }: Pick<TierGroup<never>, 'tier' | 'title'>,
): CaptionedTable {
  return title === null ? table : { ...table, id: `${table.id}-${tier}`, title: `${table.title}, ${title}` };
}

/** The main table of each run, for each tier by itself. @param options.notes below each, after what its cells share */
export function mainTables(
  runs: readonly MeasuredRun[],
  { withIntervals, notes }: { withIntervals: boolean; notes: readonly string[] },
): CaptionedTable[] {
  return runs.flatMap((run, index) =>
    tabulateCells(run, { withIntervals }).map(({ tier, title, table }) => {
      const id = runs.length > 1 ? `main-${index + 1}` : 'main';
      const told = { id, title: `${run.experiment}, ${run.startedAt}`, notes: [sharedByAll(run), ...notes] };
      return ofTier({ ...table, ...told }, { tier, title });
    }),
  );
}

/** Cells that others have, too, beside theirs; then their tables, each with what it was measured under. */
export function publishedTables(data: TypingReport): CaptionedTable[] {
  const { published } = data;
  if (published === null) return [];
  const beside = besidePaper(data);
  const tables = published.tables.map((table) => ({
    id: `published-${table.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
    title: `Published, not measured here: ${table.name} of ${published.authors[0]} et al. ${published.year}, ${table.title}`,
    ...publishedTable(table),
    notes: table.notes,
  }));
  return beside === null ? tables : [beside, ...tables];
}

/** One of them, as its study has it. */
export function publishedTable({ columns, rows }: PublishedTable): Table {
  return {
    columns: [left('framework'), ...columns.map(({ name, unit }) => right(name, unit))],
    rows: rows.map(({ framework, figures }) => [framework, ...figures.map((figure) => String(figure ?? NOTHING))]),
  };
}

/** As the paper's Table 3. */
function maxUsersTable(data: TypingReport): CaptionedTable {
  return {
    id: 'max-users',
    title: 'The largest fully functional user count, and what limited the next',
    columns: [...runColumn(data), left('framework'), left('mode'), right('max users'), right('next'), left('limit')],
    rows: maxUsersOf(data).map(({ run, framework, mode, maxUsers, next, heldOnce }) => [
      ...runText(data, run),
      framework,
      mode,
      maxUsers === null ? NOTHING : `${maxUsers}${heldOnce ? ` (${HELD_ONCE})` : ''}`,
      next === null ? NOTHING : String(next.users),
      next === null ? 'no larger user count was run' : next.limitedBy.join('; '),
    ]),
    notes: [],
  };
}

/** One table per mode: user counts down, frameworks across. */
function figureTables(data: TypingReport, figure: HeadlineFigure): CaptionedTable[] {
  const modes = Map.groupBy(data.cells, ({ parameters }) => parameters.mode);
  return [...modes].map(([mode, cells]) => {
    const lines = [...new Set(cells.map((cell) => lineOf(data, cell)))];
    const counts = [...new Set(cells.map(({ parameters }) => parameters.users))].sort((a, b) => a - b);
    const text = (users: number, line: string) => {
      const cell = cells.find((each) => each.parameters.users === users && lineOf(data, each) === line);
      if (cell === undefined) return '';
      return cell.validTrials === 0 ? cell.verdict : formatHeadline(figure, cell);
    };
    return {
      id: `${figure.name.toLowerCase().replaceAll('.', '-')}-${mode}`,
      title: `${titleOf(figure)}, ${figure.unit}, ${mode}`,
      columns: [right('users'), ...lines.map((line) => right(line))],
      rows: counts.map((users) => [String(users), ...lines.map((line) => text(users, line))]),
      notes: [
        `In brackets: the 95 % interval over trials; without one: fewer than ${MIN_TRIALS} trials have the figure${figure.scale === 'log' ? ', or one of them is not above 0' : ''}.`,
        INTERVAL_MEANING,
      ],
    };
  });
}

/** As the paper's Table 2, and the first columns of its Table 4. */
function userCountTables(data: TypingReport, users: number): CaptionedTable[] {
  const valid = data.cells.filter(({ parameters, validTrials }) => parameters.users === users && validTrials > 0);
  const table = (id: string, title: string, figures: readonly Figure[], note: string): CaptionedTable => {
    const columns = figures.map((figure): ColumnOf<ReportCell> => {
      return { ...right(figure.short), text: (cell) => formatFigureOf(figure, cell) };
    });
    const rows = tabulate([...cellColumns(data), ...columns], valid);
    return { ...rows, id, title: `${title} with ${countOf(users, 'user')}`, notes: [note] };
  };
  // The server's stand together, then the users'.
  const resources = [...Map.groupBy(figuresIn('resources'), ({ short }) => short[0]).values()].flat();
  return [
    table('resources', 'Resources', resources, 'CPU in percent of one core; user figures per user.'),
    table('saved-state', 'Saved state', figuresIn('saved state'), 'Quill’s state is its content as JSON.'),
  ];
}

/** A line of a chart, a column of a table: the framework, and of which run where there are several. */
function lineOf(data: TypingReport, { run, parameters }: ReportCell): string {
  return [parameters.framework, ...runText(data, run).map((text) => `(${text})`)].join(' ');
}

/** The user count at which most cells have valid trials, so that most can be compared; of equals the largest. */
export function chooseUsers({ cells }: Pick<TypingReport, 'cells'>): number | null {
  const valid = cells.filter(({ validTrials }) => validTrials > 0);
  const counts = Map.groupBy(valid, ({ parameters }) => parameters.users);
  const [best] = [...counts].sort(([usersA, a], [usersB, b]) => b.length - a.length || usersB - usersA);
  return best?.[0] ?? null;
}

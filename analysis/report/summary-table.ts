/** A run as a table: plain text for the terminal, Markdown for a page, and its parts for other forms. */
import { wrapWords } from '../../results/text-table.ts';
import { formatHolds, HELD_ONCE, NOTHING, ONE_TRIAL } from '../figures/figure-text.ts';
import { describeSpeed } from '../figures/machine-speed.ts';
import { type FaultRow, groupByFault } from '../resilience/fault-text.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import {
  type Cell,
  groupByTier,
  type MeasuredRun,
  TIER_TITLES,
  type TierGroup,
  type TypingCell,
  typingCells,
} from '../scenarios/cell.ts';
import { isVarying } from '../scenarios/cell-name.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { renderGroups, renderMarkdown, textWidth } from '../tables/render.ts';
import { type Column, type ColumnOf, headingOf, type Table, tabulate } from '../tables/table.ts';
import { describeCells, describeRanks } from './cell-messages.ts';
import { faultColumns } from './resilience-tables.ts';

interface CellColumn extends ColumnOf<Cell> {
  /** With its interval. */
  textWithin?: (cell: Cell) => string;
  parameter?: string;
  /** Left out, and said above the table in these words, where every cell has the same. */
  constant?: (cell: Cell) => string;
  /** Its text as part of a sentence, for a narrow table in which every cell has the same. */
  sameAs?: (text: string) => string;
  /** Left out first where the table is too wide, the last such column before all others. */
  isSpare?: boolean;
  /** Left out where no cell has such a figure. */
  isOptional?: boolean;
}

/** As statistics call it. */
const VALID_TRIALS: CellColumn = {
  heading: 'n',
  align: 'right',
  text: ({ validTrials }) => (validTrials === 1 ? 'one' : String(validTrials)),
  constant: ({ validTrials }) => (validTrials === 1 ? `${ONE_TRIAL} of each` : `${validTrials} valid trials of each`),
};

const VERDICT: CellColumn = {
  heading: 'verdict',
  align: 'left',
  text: ({ verdict }) => (verdict === 'partly valid' ? 'partly' : verdict),
  sameAs: (text) => text,
};

const ANSWERS: CellColumn[] = [
  answer('converged', ['con-', 'verged'], ({ converged }) => (converged === null ? NOTHING : converged ? '✓' : '✗')),
  answer('fully functional', ['fully', 'funct.'], (cell) => formatHolds(cell.fullyFunctional, cell)),
  answer('smooth', 'smooth', (cell) => formatHolds(cell.smooth, cell)),
];

function answer(name: string, heading: Column['heading'], text: CellColumn['text']): CellColumn {
  return { heading, align: 'left', text, sameAs: (same) => sameAnswer(same, name) };
}

function sameAnswer(text: string, answer: string): string {
  if (text === NOTHING) return `${answer}: not judged`;
  if (text === HELD_ONCE) return `${answer} (${HELD_ONCE})`;
  return text === '✓' || text === 'yes' ? answer : `not ${answer}`;
}

function parameterColumns({ parameters }: Scenario): CellColumn[] {
  return parameters.map(({ name, short, unit }, index) => ({
    heading: short,
    align: unit === undefined ? 'left' : 'right',
    text: (cell) => String(cell.parameters[name] ?? NOTHING),
    parameter: name,
    // The versions say who was measured. Not every run has each parameter.
    constant: ({ parameters: of }) => (index === 0 || of[name] === undefined ? '' : `${name} ${of[name]}`),
  }));
}

/** Quantiles of the same samples share a column: `p50 / p95`. */
function figureColumns({ inTable, text, textWithin }: Scenario): CellColumn[] {
  const groups = Map.groupBy(inTable, ({ name, source }) => (source.pooled === 'quantile' ? source.samples : name));
  return [...groups.values()].map((figures): CellColumn => {
    const first = figures[0]!;
    return {
      heading: first.heading ?? [first.short[0], figures.map(({ short }) => short[1]).join(' / ')],
      align: 'right',
      text: (cell) => figures.map((figure) => text(figure, cell)).join(' / '),
      textWithin: (cell) => figures.map((figure) => textWithin(figure, cell)).join(' / '),
      sameAs: first.better === 'higher' ? (same) => `${first.label} ${same} ${first.unit}` : undefined,
      isSpare: first.source.pooled !== 'quantile',
      isOptional: first.column === 'optional',
    };
  });
}

function columnsOf(scenario: Scenario): CellColumn[] {
  const { isTyping } = scenario;
  return [
    ...parameterColumns(scenario),
    ...(isTyping ? [VALID_TRIALS] : []),
    VERDICT,
    ...figureColumns(scenario),
    ...(isTyping ? ANSWERS : []),
  ];
}

/** Columns of most terminals. */
const NARROW = 80;

/**
 * The table with what is constant above it, and reasons, notes and units below.
 *
 * @param options.wide true: all columns; else in 80 characters, if the scenario has that form, and what all cells have in common is a
 *                     sentence
 */
export function formatTable(run: MeasuredRun, { wide = false }: { wide?: boolean } = {}): string {
  const { legend, foot, shortLegend } = SCENARIOS[run.scenario];
  const isWhole = wide || shortLegend === null;
  const table = isWhole
    ? [describeConstants(run), formatRows(run)]
    : [wrapWords(describeConstants(run), NARROW), ...narrowRows(run)];
  const below = isWhole ? [...legend, ...foot] : shortLegend;
  return [...table, formatFaults(run), describeRanks(run, NARROW), below.join('\n')].filter(Boolean).join('\n\n');
}

/** The table in 80 characters; below it what all cells have in common, and the columns that it has no room for. */
function narrowRows(run: MeasuredRun): string[] {
  const { cells } = run;
  if (cells.length === 0) return [];
  const isSame = ({ text }: CellColumn) => new Set(cells.map(text)).size === 1;
  const shown = shownColumns(run);
  const same = shown.filter((column) => column.sameAs !== undefined && isSame(column));
  let columns = shown.filter((column) => !same.includes(column));
  const leftOut: CellColumn[] = [];
  const groups = () =>
    groupByTier(run.cells).map(({ title, items }) => ({ title, rows: tabulate(columns, items).rows }));
  while (textWidth(columns, groups()) > NARROW) {
    const spare = columns.findLast(({ isSpare }) => isSpare);
    if (spare === undefined) break;
    columns = columns.filter((column) => column !== spare);
    leftOut.unshift(spare);
  }
  const common = same.map((column) => column.sameAs!(column.text(cells[0]!))).join(', ');
  const who = cells.length === 1 ? 'It is' : 'All are';
  return [
    renderGroups(columns, groups(), NARROW),
    [
      ...(same.length === 0 ? [] : [wrapWords(`${who}: ${common}.`, NARROW)]),
      ...(leftOut.length === 0 ? [] : [wrapWords(`--wide shows ${leftOut.map(headingOf).join(', ')} too.`, NARROW)]),
    ].join('\n'),
  ];
}

/** The table alone: headings once, then the tiers' rows, each tier with its title above them where there are several. */
export function formatRows(run: MeasuredRun): string {
  const groups = tabulateCells(run).map(({ title, table: { rows } }) => ({ title, rows }));
  return renderGroups(shownColumns(run), groups);
}

/** How users fared with each fault that was asked for, without intervals; empty if nothing was. */
function formatFaults(run: MeasuredRun): string {
  const groups = groupByFault(typingCells(run));
  if (groups.length === 0) return '';
  const identity = shownColumns(run).filter(({ parameter }) => parameter !== undefined);
  const columns: ColumnOf<FaultRow<TypingCell>>[] = [
    ...identity.map(({ text, ...column }) => ({ ...column, text: ({ cell }: FaultRow<TypingCell>) => text(cell) })),
    ...faultColumns({ intervals: false }),
  ];
  const rows = renderGroups(
    columns,
    groups.map(({ title, rows: ofFault }) => ({ title, rows: tabulate(columns, ofFault).rows })),
  );
  return `${rows}\n\nWhat was asked to break, and how users fared: docs/data/resilience.md says what each column is.`;
}

/** The same in Markdown, with reasons and notes as a list. */
export function formatMarkdownTable(run: MeasuredRun): string {
  const tables = tabulateCells(run).map(({ title, table }) =>
    [...(title === null ? [] : [`**${title}**`]), renderMarkdown(table)].join('\n\n'),
  );
  const legend = SCENARIOS[run.scenario].legend.join('\n');
  return [describeConstants(run), ...tables, describeCells(run, '- '), legend].filter(Boolean).join('\n\n');
}

/** The tables alone, one for each tier: what varies between cells, one row per cell; with the intervals, if they are asked for. */
export function tabulateCells(
  run: MeasuredRun,
  { withIntervals = false }: { withIntervals?: boolean } = {},
): (Pick<TierGroup<never>, 'tier' | 'title'> & { table: Table })[] {
  const columns = shownColumns(run).map((column) => ({
    ...column,
    text: (withIntervals && column.textWithin) || column.text,
  }));
  return groupByTier(run.cells).map(({ tier, title, items }) => ({ tier, title, table: tabulate(columns, items) }));
}

function shownColumns(run: MeasuredRun): CellColumn[] {
  const isTold = ({ text }: CellColumn) => run.cells.some((cell) => /\d/.test(text(cell)));
  return columnsOf(SCENARIOS[run.scenario]).filter((column) =>
    column.isOptional ? isTold(column) : column.constant === undefined || !isConstant(column, run),
  );
}

/** A row must say what it is of: a single one keeps its parameters, or of documents the subject always stands in it. */
function isConstant({ text, parameter }: CellColumn, run: MeasuredRun): boolean {
  const { isTyping, parameters } = SCENARIOS[run.scenario];
  if (!isTyping) return parameter !== parameters[0]!.name && !isVarying(run, parameter ?? '');
  return run.cells.length > 1 && new Set(run.cells.map(text)).size === 1;
}

function describeConstants(run: MeasuredRun): string {
  const { title } = SCENARIOS[run.scenario];
  const first = [`${run.experiment}, ${run.startedAt}`, ...(title === null ? [] : [title])].join(' · ');
  if (run.cells.length === 0) return `${first}\nNo trial has run yet.`;
  return [first, sharedByAll(run)].join(title === null ? ' · ' : '\n');
}

/** Versions, conditions and machine: what the columns leave out, as all cells share it. */
export function sharedByAll(run: MeasuredRun): string {
  const { cells } = run;
  const { parameters } = SCENARIOS[run.scenario];
  const versions = new Set(cells.map(({ parameters: of, version }) => `${of[parameters[0]!.name]} ${version}`));
  const constants = columnsOf(SCENARIOS[run.scenario]).flatMap((column) => {
    const text = column.constant !== undefined && isConstant(column, run) ? column.constant(cells[0]!) : '';
    return text === '' ? [] : [text];
  });
  const [only, ...others] = groupByTier(run.cells);
  const isTold = others.length === 0 && only!.tier !== 'unknown';
  const tier = isTold ? [TIER_TITLES[only!.tier]] : [];
  return [...versions, ...tier, ...constants, `machine: ${describeSpeed(cells)}`].join(' · ');
}

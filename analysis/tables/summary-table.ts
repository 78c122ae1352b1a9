/** The summary as a table: plain text for the terminal, Markdown for a page, and its parts for other forms. */

import type { CellSummary, Summary } from '../../results/formats/summary.ts';
import { type AnySummary, groupByTier, TIER_TITLES, type TierGroup } from '../cell/cell.ts';
import { figuresIn } from '../figures/catalogue.ts';
import { enumerate, formatFigureOf, NOTHING } from '../figures/figure-text.ts';
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import { type FaultRow, faultFigureText, groupByFault, lastedText, trialsText } from '../resilience/fault-text.ts';
import { renderGroups, renderMarkdown } from './render.ts';
import { type Column, type ColumnOf, headingOf, right, type Table, tabulate } from './table.ts';

interface SummaryColumn extends ColumnOf<CellSummary> {
  /** Left out, and said above the table, where every cell has the same. */
  identity?: boolean;
}

const IDENTITY: SummaryColumn[] = [
  { heading: 'framework', align: 'left', text: ({ framework }) => framework, identity: true },
  { heading: 'mode', align: 'left', text: ({ mode }) => mode, identity: true },
  { heading: 'users', align: 'right', text: ({ users }) => String(users), identity: true },
  { heading: 'verdict', align: 'left', text: ({ verdict }) => (verdict === 'partly valid' ? 'partly' : verdict) },
];

const ANSWERS: SummaryColumn[] = [
  { heading: ['con-', 'verged'], align: 'left', text: ({ converged }) => formatAnswer(converged, '✓', '✗') },
  {
    heading: ['fully', 'funct.'],
    align: 'left',
    text: ({ fullyFunctional }) => formatAnswer(fullyFunctional, 'yes', 'no'),
  },
  { heading: 'smooth', align: 'left', text: ({ smooth }) => formatAnswer(smooth, 'yes', 'no') },
];

/** Quantiles of the same samples share a column: `p50 / p95`. */
function figureColumns(): SummaryColumn[] {
  const groups = Map.groupBy(figuresIn('terminal'), (figure) =>
    figure.source.pooled === 'quantile' ? figure.source.samples : figure.name,
  );
  return [...groups.values()].map((figures) => ({
    heading: [figures[0]!.short[0], figures.map(({ short }) => short[1]).join(' / ')],
    align: 'right',
    text: (cell) => figures.map((figure) => formatFigureOf(figure, cell)).join(' / '),
  }));
}

const COLUMNS: SummaryColumn[] = [...IDENTITY, ...figureColumns(), ...ANSWERS];

const LEGEND = `
throughput: edits typed, of those that fell due · local: from a sigil's last key to its showing on the own screen
end-to-end: to its showing on another's screen · sigils arr.: shown on the others' screens, of those not broken by
concurrent edits · CPU: percent of one core, the user's per user, the driver's for all users · MiB: per user
fully funct.: fully functional, by the paper's criterion · smooth: by this project's, stricter one
p50, p95: median, 95th percentile · ${NOTHING}: not measured, or too few samples
`.trim();

/** A table that fits 120 columns, with what is constant above it, and reasons, notes and units below. */
export function formatTable(summary: Summary): string {
  return [describeConstants(summary), formatRows(summary), formatFaults(summary), describeCells(summary, '  '), LEGEND]
    .filter(Boolean)
    .join('\n\n');
}

/** The table alone: headings once, then the tiers' rows, each tier with its title above them where there are several. */
export function formatRows(summary: Summary): string {
  const groups = tabulateCells(summary).map(({ title, table: { rows } }) => ({ title, rows }));
  return renderGroups(varyingColumns(summary), groups);
}

/** How users fared with each fault that was asked for, without intervals; empty if nothing was. */
function formatFaults(summary: Summary): string {
  const groups = groupByFault(summary.cells);
  if (groups.length === 0) return '';
  const identity = IDENTITY.filter((column) => column.identity && !isConstant(column, summary));
  const columns: Column[] = [
    ...identity,
    right('trials'),
    right(['lasted', 's']),
    ...FAULT_FIGURES.map(({ short }) => right(short)),
  ];
  const textsOf = (row: FaultRow) => [
    ...identity.map(({ text }) => text(row.summary)),
    trialsText(row),
    row.fault === null ? '' : lastedText(row.fault),
    ...FAULT_FIGURES.map((figure) => (row.fault ? faultFigureText(figure, row.fault, { intervals: false }) : '')),
  ];
  const rows = renderGroups(
    columns,
    groups.map(({ title, rows }) => ({ title, rows: rows.map(textsOf) })),
  );
  return `${rows}\n\nWhat was asked to break, and how users fared: docs/resilience.md says what each column is.`;
}

/** The same in Markdown, with reasons and notes as a list. */
export function formatMarkdownTable(summary: Summary): string {
  const tables = tabulateCells(summary).map(({ title, table }) =>
    [...(title === null ? [] : [`**${title}**`]), renderMarkdown(table)].join('\n\n'),
  );
  return [describeConstants(summary), ...tables, describeCells(summary, '- '), LEGEND].filter(Boolean).join('\n\n');
}

/** The tables alone, one for each tier: what varies between cells, one row per cell. */
export function tabulateCells(summary: Summary): (Pick<TierGroup<never>, 'tier' | 'title'> & { table: Table })[] {
  const columns = varyingColumns(summary);
  return tiersOf(summary).map(({ tier, title, items }) => ({ tier, title, table: tabulate(columns, items) }));
}

function tiersOf({ cells }: Summary): TierGroup<CellSummary>[] {
  return groupByTier(cells, ({ tier }) => tier);
}

function varyingColumns(summary: Summary): SummaryColumn[] {
  return COLUMNS.filter((column) => !column.identity || !isConstant(column, summary));
}

/** A single cell keeps its name: a row without one says nothing. */
function isConstant({ text }: SummaryColumn, { cells }: Summary): boolean {
  return cells.length > 1 && new Set(cells.map(text)).size === 1;
}

function describeConstants(summary: Summary): string {
  const versions = new Set(summary.cells.map(({ framework, version }) => `${framework} ${version}`));
  const constants = COLUMNS.filter((column) => column.identity && headingOf(column) !== 'framework')
    .filter((column) => isConstant(column, summary))
    .map((column) => `${headingOf(column)} ${column.text(summary.cells[0]!)}`);
  const [only, ...others] = tiersOf(summary);
  const isTold = only !== undefined && others.length === 0 && only.tier !== 'unknown';
  const tier = isTold ? [TIER_TITLES[only.tier]] : [];
  const what = [`${summary.experiment}, ${summary.startedAt}`, ...versions, ...tier, ...constants].join(' · ');
  return summary.cells.length === 0 ? `${what}\nNo trial has run yet.` : what;
}

/** Reasons and notes of cells, as a list. */
export function describeCells({ cells }: Summary, bullet: string): string {
  const named = cells.map((summary) => {
    const { framework, mode, users } = summary;
    return { name: `${framework}, ${mode}, ${users} ${users === 1 ? 'user' : 'users'}`, summary };
  });
  return describeMessages(named, bullet);
}

function formatAnswer(answer: boolean | null, yes: string, no: string): string {
  return answer === null ? NOTHING : answer ? yes : no;
}

/** So many cells stand by name in one line. */
const LISTED = 4;

/** Each message once, with the names of its cells: of what a page threw, without its stack. */
export function describeMessages(cells: readonly { name: string; summary: AnySummary }[], bullet: string): string {
  const messages = cells.flatMap(({ name, summary: { verdict, validTrials, trials, reasons, notes } }) => {
    const validity = verdict === 'partly valid' ? [`${validTrials} of ${trials} trials are valid`] : [];
    return [...validity, ...reasons, ...notes].map((text) => ({ name, message: text.split('\n', 1)[0]! }));
  });
  return [...Map.groupBy(messages, ({ message }) => message)]
    .map(([message, group]) => {
      const names = group.map(({ name }) => name);
      return `${bullet}${enumerate(names, { most: LISTED, between: '; ' })}: ${message}`;
    })
    .join('\n');
}

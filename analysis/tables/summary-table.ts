/** The summary as a table: plain text for the terminal, Markdown for a page, and its parts for other forms. */

import { plainText } from '../../results/foreign-text.ts';
import type { CellSummary, Summary } from '../../results/formats/summary.ts';
import type { Message } from '../../results/formats/verdict.ts';
import { type AnySummary, groupByTier, TIER_TITLES, type TierGroup } from '../cell/cell.ts';
import { aboutCell, sentenceOf } from '../cell/messages.ts';
import { figuresIn } from '../figures/catalogue.ts';
import { BUSY_MACHINE_PERCENT } from '../figures/criterion.ts';
import type { Figure } from '../figures/figure.ts';
import {
  BUSY_MARK,
  countOf,
  enumerate,
  formatFigureOf,
  formatHolds,
  HELD_ONCE,
  NOTHING,
  ONE_TRIAL,
} from '../figures/figure-text.ts';
import { describeSpeed } from '../figures/machine-speed.ts';
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import { type FaultRow, faultFigureText, groupByFault, lastedText, trialsText } from '../resilience/fault-text.ts';
import { renderGroups, renderMarkdown, textWidth } from './render.ts';
import { type Column, type ColumnOf, headingOf, right, type Table, tabulate } from './table.ts';

interface SummaryColumn extends ColumnOf<CellSummary> {
  /** Left out, and said above the table, where every cell has the same. */
  identity?: boolean;
  /** Its text as part of a sentence, for a narrow table in which every cell has the same. */
  sameAs?: (text: string) => string;
  /** Left out first where the table is too wide, the last such column before all others. */
  isSpare?: boolean;
  /** Left out where no cell has such a figure. */
  isOptional?: boolean;
  /** Its words there; else its heading and text. */
  constant?: (cell: CellSummary) => string;
}

/** As statistics call it. */
const VALID_TRIALS = 'n';

const IDENTITY: SummaryColumn[] = [
  { heading: 'framework', align: 'left', text: ({ framework }) => framework, identity: true },
  { heading: 'mode', align: 'left', text: ({ mode }) => mode, identity: true },
  { heading: 'users', align: 'right', text: ({ users }) => String(users), identity: true },
  {
    heading: VALID_TRIALS,
    align: 'right',
    text: ({ validTrials }) => (validTrials === 1 ? 'one' : String(validTrials)),
    constant: ({ validTrials }) => (validTrials === 1 ? `${ONE_TRIAL} of each` : `${validTrials} valid trials of each`),
    identity: true,
  },
  {
    heading: 'verdict',
    align: 'left',
    text: ({ verdict }) => (verdict === 'partly valid' ? 'partly' : verdict),
    sameAs: (text) => text,
  },
];

const ANSWERS: SummaryColumn[] = [
  {
    heading: ['con-', 'verged'],
    align: 'left',
    text: ({ converged }) => (converged === null ? NOTHING : converged ? '✓' : '✗'),
    sameAs: (text) => sameAnswer(text, 'converged'),
  },
  {
    heading: ['fully', 'funct.'],
    align: 'left',
    text: (cell) => formatHolds(cell.fullyFunctional, cell),
    sameAs: (text) => sameAnswer(text, 'fully functional'),
  },
  {
    heading: 'smooth',
    align: 'left',
    text: (cell) => formatHolds(cell.smooth, cell),
    sameAs: (text) => sameAnswer(text, 'smooth'),
  },
];

function sameAnswer(text: string, answer: string): string {
  if (text === NOTHING) return `${answer}: not judged`;
  if (text === HELD_ONCE) return `${answer} (${HELD_ONCE})`;
  return text === '✓' || text === 'yes' ? answer : `not ${answer}`;
}

/** Quantiles of the same samples share a column: `p50 / p95`. */
function figureColumns(): SummaryColumn[] {
  const groups = Map.groupBy(figuresIn('terminal'), (figure) =>
    figure.source.pooled === 'quantile' ? figure.source.samples : figure.name,
  );
  return [...groups.values()].map((figures) => {
    const [first] = figures as [Figure];
    return {
      heading: first.heading ?? [first.short[0], figures.map(({ short }) => short[1]).join(' / ')],
      align: 'right',
      text: (cell) => figures.map((figure) => formatFigureOf(figure, cell)).join(' / '),
      ...(first.better === 'higher' && { sameAs: (text: string) => `${first.label} ${text} ${first.unit}` }),
      isSpare: first.source.pooled !== 'quantile',
      isOptional: first.column === 'optional',
    };
  });
}

const COLUMNS: SummaryColumn[] = [...IDENTITY, ...figureColumns(), ...ANSWERS];

const LEGEND = `
throughput: edits typed, of those that fell due · local: from a sigil's last key to its showing on the own screen
end-to-end: to its showing on another's screen · sigils arr.: shown on the others' screens, of those not broken by
concurrent edits · CPU: percent of one core, the user's per user · MiB: per user · busy: all cores of the machine together
${BUSY_MARK}: the machine was over ${BUSY_MACHINE_PERCENT} % busy, so the latency is partly its own · document: its characters in the end
fully funct.: fully functional, by the paper's criterion · smooth: by this project's, stricter one
less batch: to another's screen from when the sender's client sent what it had gathered, of what a crowd typed
n: valid trials · held once: in the only trial · p50, p95: median, 95th percentile · ${NOTHING}: not measured, or too few samples
`.trim();

const SHORT_LEGEND = `
local, end-to-end: from a marker's last key to the own screen, to another's
CPU: percent of one core · MiB: per user · ${NOTHING}: not measured, or too few samples
n: valid trials · ${BUSY_MARK}: the machine was over ${BUSY_MACHINE_PERCENT} % busy: partly its own
`.trim();

/** Columns of most terminals. */
const NARROW = 80;

/**
 * The table with what is constant above it, and reasons, notes and units below.
 *
 * @param options.wide true: all columns, in 132 characters at most; else in 80, and what all cells have in common is a sentence
 */
export function formatTable(summary: Summary, { wide = false }: { wide?: boolean } = {}): string {
  const table = wide
    ? [describeConstants(summary), formatRows(summary)]
    : [wrapped(describeConstants(summary)), ...narrowRows(summary)];
  return [...table, formatFaults(summary), describeRanks(namedCells(summary)), wide ? LEGEND : SHORT_LEGEND]
    .filter(Boolean)
    .join('\n\n');
}

/** The table in 80 characters; below it what all cells have in common, and the columns that it has no room for. */
function narrowRows(summary: Summary): string[] {
  if (summary.cells.length === 0) return [];
  const isSame = ({ text }: SummaryColumn) => new Set(summary.cells.map(text)).size === 1;
  const varying = varyingColumns(summary);
  const same = varying.filter((column) => column.sameAs !== undefined && isSame(column));
  let columns = varying.filter((column) => !same.includes(column));
  const leftOut: SummaryColumn[] = [];
  const groups = () => tiersOf(summary).map(({ title, items }) => ({ title, rows: tabulate(columns, items).rows }));
  while (textWidth(columns, groups()) > NARROW) {
    const spare = columns.findLast(({ isSpare }) => isSpare);
    if (spare === undefined) break;
    columns = columns.filter((column) => column !== spare);
    leftOut.unshift(spare);
  }
  const common = same.map((column) => column.sameAs!(column.text(summary.cells[0]!))).join(', ');
  const who = summary.cells.length === 1 ? 'It is' : 'All are';
  return [
    renderGroups(columns, groups(), NARROW),
    [
      ...(same.length === 0 ? [] : [wrapped(`${who}: ${common}.`)]),
      ...(leftOut.length === 0 ? [] : [wrapped(`--wide shows ${leftOut.map(headingOf).join(', ')} too.`)]),
    ].join('\n'),
  ];
}

/** Breaks lines between words; later lines are indented by so many spaces. */
function wrapped(text: string, indent = 0): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line.trim() !== '' && line.length + 1 + word.length > NARROW) lines.push(`${' '.repeat(indent)}${word}`);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
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
  const identity = IDENTITY.filter(
    (column) => column.identity && column.heading !== VALID_TRIALS && !isConstant(column, summary),
  );
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
  return `${rows}\n\nWhat was asked to break, and how users fared: docs/data/resilience.md says what each column is.`;
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
  const isTold = ({ text }: SummaryColumn) => summary.cells.some((cell) => /\d/.test(text(cell)));
  return COLUMNS.filter((column) =>
    column.isOptional ? isTold(column) : !column.identity || !isConstant(column, summary),
  );
}

/** A single cell keeps its name: a row without one says nothing. */
function isConstant({ text }: SummaryColumn, { cells }: Summary): boolean {
  return cells.length > 1 && new Set(cells.map(text)).size === 1;
}

function describeConstants(summary: Summary): string {
  const versions = new Set(summary.cells.map(({ framework, version }) => `${framework} ${version}`));
  const constants = COLUMNS.filter((column) => column.identity && headingOf(column) !== 'framework')
    .filter((column) => isConstant(column, summary))
    .map((column) => column.constant?.(summary.cells[0]!) ?? `${headingOf(column)} ${column.text(summary.cells[0]!)}`);
  const [only, ...others] = tiersOf(summary);
  const isTold = only !== undefined && others.length === 0 && only.tier !== 'unknown';
  const tier = isTold ? [TIER_TITLES[only.tier]] : [];
  const speed = summary.cells.length === 0 ? [] : [`machine: ${describeSpeed(summary.cells)}`];
  const what = [`${summary.experiment}, ${summary.startedAt}`, ...versions, ...tier, ...constants, ...speed].join(
    ' · ',
  );
  return summary.cells.length === 0 ? `${what}\nNo trial has run yet.` : what;
}

/** Reasons and notes of cells, as a list. */
export function describeCells(summary: Summary, bullet: string): string {
  return describeMessages(namedCells(summary), bullet);
}

function namedCells({ cells }: Summary): NamedCell[] {
  return cells.map((summary) => {
    const { framework, mode, users } = summary;
    return { name: `${framework}, ${mode}, ${countOf(users, 'user')}`, summary };
  });
}

/** The most cells that a line lists by name. */
const LISTED = 4;

interface NamedCell {
  name: string;
  summary: AnySummary;
}

/** Each message once, with the names of its cells: of what a page threw, without its stack. */
export function describeMessages(cells: readonly NamedCell[], bullet: string): string {
  return messagesOf(cells)
    .map(({ who, message }) => `${bullet}${who}: ${message}`)
    .join('\n');
}

/** Before a message, by its rank. */
const SIGNS = { decides: '✗', care: '!', record: 'i' } as const;

/**
 * The messages for a terminal, those that change the answer first: ✗ does, ! asks for care. The report has the rest, which
 * is for the record.
 */
function describeRanks(cells: readonly NamedCell[]): string {
  const ranked = Map.groupBy(messagesOf(cells), ({ rank }) => rank);
  const lines = (['decides', 'care'] as const).flatMap((rank) =>
    (ranked.get(rank) ?? []).map(({ who, message }) => wrapped(`${SIGNS[rank]} ${who}: ${message}`, 2)),
  );
  const rest = ranked.get('record')?.length ?? 0;
  const count = `${SIGNS.record} ${countOf(rest, 'note')} for the record: see the report`;
  return [...lines, ...(rest === 0 ? [] : [count])].join('\n');
}

function messagesOf(cells: readonly NamedCell[]): { who: string; message: string; rank: Message['rank'] }[] {
  const told = cells.flatMap(({ name, summary: { verdict, validTrials, trials, messages } }) => {
    const validity = aboutCell('partly-valid', 'decides', `${validTrials} of ${trials} trials are valid`);
    return [...(verdict === 'partly valid' ? [validity] : []), ...messages].map((message) => ({
      name,
      message: plainText(sentenceOf(message).split('\n', 1)[0]!),
      rank: message.rank,
    }));
  });
  return [...Map.groupBy(told, ({ message }) => message).values()].map((group) => {
    const names = group.map(({ name }) => name);
    return { ...group[0]!, who: enumerate(names, { most: LISTED, between: '; ' }) };
  });
}

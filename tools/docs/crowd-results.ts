/** What was measured with two live users among a crowd, in Markdown: a hundred users, and the paper's grid beside the paper. */

import { markdownTable } from '../../analysis/tables/render.ts';
import { formatMarkdownTable, formatRows } from '../../analysis/tables/summary-table.ts';
import type { CellSummary } from '../../results/formats/summary.ts';
import { readPublishedStudy } from '../../results/published/read-study.ts';
import type { PublishedTable } from '../../results/published/study.ts';
import { conditionsOf, wrap } from './comparison.ts';
import type { MeasuredMax, MeasuredRun } from './measured.ts';

export const HUNDRED = 'hundred';
export const LIVE_CROWD = 'live-crowd';
export const MOST_USERS = 'max';
export const PAPER_GRID = 'paper-on-one-machine';

/** For the README, which is read in any terminal. */
export function hundredInShort(run: MeasuredRun): string {
  return [wrap(`Measured on ${conditionsOf(run)}:`), ['```', formatRows(run.summary), '```'].join('\n')].join('\n\n');
}

/** Every cell, with reasons and notes. */
export function crowdInFull(run: MeasuredRun): string {
  const { summary } = run;
  return [wrap(`\`${summary.experiment}.yaml\` on ${conditionsOf(run)}.`), formatMarkdownTable(summary)].join('\n\n');
}

/**
 * What searches for the most users found, and what gave out; each decides itself how many trials a count takes.
 *
 * @param runs the oldest first: of the same criterion, framework and mode the newest counts
 */
export function mostUsers(runs: readonly MeasuredMax[]): string {
  const found = runs.flatMap((run) => {
    const lines = run.answer.trim().split('\n');
    const headLines = lines.findIndex((line) => line.startsWith('| -')) + 1;
    const head = lines.slice(0, headLines).join('\n');
    const part = [wrap(`\`./scriptorium max\` on ${conditionsOf(run, { hasTrials: false })}.`), head].join('\n\n');
    const rows = lines.slice(headLines);
    return rows.map((row) => ({ part, row, searched: [head, ...row.split('|').slice(1, 3)].join('|') }));
  });
  const newest = new Map(found.map((each) => [each.searched, each]));
  const parts = Map.groupBy(newest.values(), ({ part }) => part);
  return [...parts].map(([part, of]) => [part, ...of.map(({ row }) => row)].join('\n')).join('\n\n');
}

/** What stands in each column of the paper's summary sheets here; null where it was not measured. */
const COLUMNS: readonly { published: string; heading: string; here(cell: CellSummary): string }[] = [
  { published: 'throughput', heading: 'throughput %', here: ({ throughputPercent }) => text(throughputPercent) },
  { published: 'local p50', heading: 'local p50 ms', here: (cell) => local(cell, 'p50') },
  { published: 'local p95', heading: 'local p95 ms', here: (cell) => local(cell, 'p95') },
  {
    published: 'end-to-end p50',
    heading: 'end to end p50 ms',
    here: ({ endToEndLatencyMs }) => text(endToEndLatencyMs.p50),
  },
  {
    published: 'end-to-end p95',
    heading: 'end to end p95 ms',
    here: ({ endToEndLatencyMs }) => text(endToEndLatencyMs.p95),
  },
  { published: 'client CPU', heading: 'client CPU %', here: ({ userCpuPercent }) => text(userCpuPercent) },
  { published: 'server CPU', heading: 'server CPU %', here: ({ serverCpuPercent }) => text(serverCpuPercent) },
  { published: 'saved state', heading: 'saved KiB', here: ({ savedStateKiB }) => text(savedStateKiB) },
  { published: "Quill's state", heading: 'Quill’s KiB', here: ({ quillStateKiB }) => text(quillStateKiB) },
];

/**
 * Each cell of the paper's grid that was measured here, with the paper's below it.
 *
 * @param runs the oldest first: the grid takes nights and is run in parts, and of a cell that was run twice the newest counts
 */
export async function paperBeside(runs: readonly MeasuredRun[]): Promise<string> {
  const { tables } = await readPublishedStudy();
  const newest = new Map(
    runs.flatMap((run) => run.summary.cells.map((cell) => [cellKey(cell), { run, cell }] as const)),
  );
  const measured = [...newest.values()];
  const parts = Map.groupBy(measured, ({ run }) => conditionsOf(run));
  const modes = [
    { mode: 'optquill', sheet: 'OptQuill' },
    { mode: 'noquill', sheet: 'NoQuill' },
  ];
  const shown = modes.flatMap(({ mode, sheet }) => {
    const cells = measured.map(({ cell }) => cell).filter((cell) => cell.mode === mode);
    if (cells.length === 0) return [];
    const rows = cells
      .toSorted((a, b) => a.users - b.users || a.framework.localeCompare(b.framework))
      .flatMap((cell) => rowsOf(cell, sheet, tables));
    const headings = [
      ...['users', 'framework', 'whose', 'verdict'],
      ...[...COLUMNS.map(({ heading }) => heading), 'fully functional'],
    ];
    return [`### ${sheet}`, markdownTable(headings, rows), ...reasonsOf(cells)];
  });
  const conditions = [...parts].map(([text, of]) => `- ${text}: ${countsOf(of.map(({ cell }) => cell))}`);
  return [`\`${PAPER_GRID}.yaml\`, by parts:`, conditions.join('\n'), ...shown].join('\n\n');
}

function cellKey({ framework, mode, users }: CellSummary): string {
  return `${framework} ${mode} ${users}`;
}

/** Which counts of users of which frameworks. */
function countsOf(cells: readonly CellSummary[]): string {
  const groups = Map.groupBy(cells, ({ framework, mode }) => `\`${framework}\` \`${mode}\``);
  return [...groups].map(([who, of]) => `${who} ${of.map(({ users }) => users).join(', ')}`).join('; ');
}

/** What the figures of cells do not say: why one is not valid, or not fully functional; nothing where there is none. */
function reasonsOf(cells: readonly CellSummary[]): string[] {
  const reasons = cells.flatMap(({ framework, users, reasons }) =>
    reasons.map((reason) => `- \`${framework}\`, ${users} users: ${reason}`),
  );
  return reasons.length === 0 ? [] : [reasons.join('\n')];
}

/** The most users that the paper found. */
export async function paperUsers(): Promise<string> {
  const { tables } = await readPublishedStudy();
  const { columns, rows } = tableOfMost(tables);
  return markdownTable(
    ['framework', ...columns.map(({ name }) => name)],
    rows.map(({ framework, figures }) => [framework, ...figures.map((figure) => String(figure ?? '–'))]),
  );
}

function rowsOf(cell: CellSummary, sheet: string, tables: readonly PublishedTable[]): string[][] {
  const own = [
    ...[String(cell.users), `\`${cell.framework}\``, 'here', cell.verdict],
    ...COLUMNS.map(({ here }) => here(cell)),
    cell.fullyFunctional === null ? '–' : cell.fullyFunctional ? 'yes' : 'no',
  ];
  const table = tables.find(({ name }) => name === `Summary sheet, ${sheet}, ${cell.users} users`);
  const row = table?.rows.find(({ here }) => here === cell.framework);
  if (table === undefined || row === undefined) return [own];
  const figures = COLUMNS.map(({ published }) => {
    const column = table.columns.findIndex(({ name }) => name === published);
    return text(row.figures[column] ?? null);
  });
  return [own, ['', '', 'paper', '', ...figures, carriedInPaper(cell, sheet, tables)]];
}

/** Whether the paper found so many users of it fully functional. */
function carriedInPaper({ framework, users }: CellSummary, mode: string, tables: readonly PublishedTable[]): string {
  const { columns, rows } = tableOfMost(tables);
  const column = columns.findIndex(({ name }) => name === mode);
  const most = rows.find(({ here }) => here === framework)?.figures[column] ?? null;
  if (most === null) return '–';
  return users <= most ? 'yes' : 'no';
}

function tableOfMost(tables: readonly PublishedTable[]): PublishedTable {
  return tables.find(({ name }) => name === 'Table 3')!;
}

/** Where probes typed too few sigils for it, every own key stands in, marked by a k. */
function local({ localLatencyMs, keyLatencyMs }: CellSummary, part: 'p50' | 'p95'): string {
  const value = localLatencyMs[part];
  if (value !== null) return text(value);
  const ofKeys = keyLatencyMs?.[part] ?? null;
  return ofKeys === null ? '–' : `${text(ofKeys)} k`;
}

function text(value: number | null): string {
  if (value === null) return '–';
  return value.toFixed(value >= 100 ? 0 : 1);
}

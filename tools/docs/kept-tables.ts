/**
 * Tables of kept cells in Markdown. A page's comment has the query that chooses the cells, in its column `cell`, and the figures; or
 * all of the table, if that needs nothing else.
 */

import { cardsOf, costsTable, meaningsTable } from '../../analysis/campaign/cards.ts';
import { lacksFullest, PAIRED_MEANING, pairedTable } from '../../analysis/campaign/paired-blocks.ts';
import type { PooledCell } from '../../analysis/campaign/pool-blocks.ts';
import { CROWD_CAUTION } from '../../analysis/cell/cells.ts';
import { isReason } from '../../analysis/cell/messages.ts';
import { figureNamed } from '../../analysis/figures/catalogue.ts';
import { type Figure, isHeadline } from '../../analysis/figures/figure.ts';
import { formatFigureOf, formatHeadline, NOTHING, ONE_TRIAL } from '../../analysis/figures/figure-text.ts';
import { warnOfSpeeds } from '../../analysis/figures/machine-speed.ts';
import { describeCells } from '../../analysis/report/cell-messages.ts';
import { documentTables } from '../../analysis/report/document-tables.ts';
import { faultTables } from '../../analysis/report/resilience-tables.ts';
import { formatRows } from '../../analysis/report/summary-table.ts';
import { SCENARIOS } from '../../analysis/scenarios/catalogue.ts';
import { type Cell, isOfPlayedCrowd, TIERS, type TypingCell, typingCells } from '../../analysis/scenarios/cell.ts';
import type { KeptRun } from '../../analysis/site/kept-file.ts';
import type { Bench } from '../../analysis/site/kept-runs.ts';
import { blocksOf } from '../../analysis/site/pool-campaigns.ts';
import { markdownTable, renderMarkdown } from '../../analysis/tables/render.ts';
import { left, right } from '../../analysis/tables/table.ts';
import { MODE_NAMES } from '../../frameworks/modes.ts';
import { cheapestMachine } from '../../harness/capacity/machine.ts';
import { readPublishedDocumentFigures } from '../../results/published/document-figures.ts';
import type { Cells, ChosenCells, Value } from './cells.ts';
import { explainMarks } from './crowd-benches.ts';
import { paperGrid } from './paper-grid.ts';
import { peopleTable } from './people.ts';
import { codeBlock, conditionsOf, networkOf, whenOf, wrap, wrapItem } from './wording.ts';

type TableWriter = (sql: string, cells: Cells) => Promise<string>;

/** By the name of the table's kind. */
export const KEPT_TABLES: Readonly<Record<string, TableWriter>> = {
  table: async (sql, cells) => {
    const { columns, rows } = await cells.ask(sql);
    return markdownTable(
      columns,
      rows.map((row) => row.map(valueText)),
    );
  },
  text: async (sql, cells) => valueText((await cells.ask(sql)).rows[0]![0]!),
  people: peopleTable,
  answers: answersTable,
  rows: oneAfterAnother(rowsTable),
  beside: oneAfterAnother(besideTables),
  figures: async (sql, cells) => figuresTable(await cells.chosen(sql), await figuresIn(sql, cells), cells),
  blocks: blocksTables,
  costs: async (sql, cells) => unitCostsTables(await cells.chosen(sql)),
  faults: oneAfterAnother(faultsTable),
  words: oneAfterAnother(wordsTable),
  'paper grid': async (sql, cells) => await paperGrid(await cells.chosen(sql), cells),
};

function valueText(value: Value): string {
  return String(value ?? NOTHING);
}

/**
 * Of a query's rows, each an answer: its line, the line's text, the column's heading, the answer, and the text at the line's end.
 *
 * @throws Error if there are two answers for one place
 */
async function answersTable(sql: string, cells: Cells): Promise<string> {
  const { columns, rows } = await cells.ask(sql);
  const headings = [...new Set(rows.map(([, , heading]) => String(heading)))];
  const lines = [...Map.groupBy(rows, ([line]) => line).values()].map((answers) => {
    const [line, question, , , end] = answers[0]!;
    const byHeading = new Map(answers.map((answer) => [answer[2], answer[3]!]));
    if (byHeading.size < answers.length) throw new Error(`line ${line} has two answers for a column: ${question}`);
    const texts = headings.map((heading) => valueText(byHeading.get(heading) ?? null));
    return [String(question), ...texts, valueText(end ?? null)];
  });
  return markdownTable(['', ...headings, columns.at(-1)!], lines);
}

/** Columns of a query that are no figures. */
const NO_FIGURES = ['cell', 'entry', 'blocks', 'kept'];

async function figuresIn(sql: string, cells: Cells): Promise<Figure[]> {
  const columns = (await cells.selected(sql)).map(({ column }) => column);
  return columns.filter((column) => !NO_FIGURES.includes(column)).map((name) => figureNamed(name as Figure['name']));
}

/** Figures of each entry of a campaign's part, and their ratios within blocks; an entry without a block is a gap. */
async function blocksTables(sql: string, cells: Cells): Promise<string> {
  const figures = await figuresIn(sql, cells);
  const { columns, rows } = await cells.ask(sql);
  const place = (name: string) => columns.indexOf(name);
  const chosen = rows.every((row) => row[place('cell')] === null) ? [] : await cells.chosen(sql);
  const entries = new Map(rows.map((row) => [String(row[place('entry')]), row]));
  const sections = [...entries].map(([entry, row]) => {
    const [wanted, kept] = [Number(row[place('blocks')]), Number(row[place('kept')])];
    const title = `**${entry}**: ${kept < wanted ? `${kept} of ${wanted}` : kept} blocks`;
    const ofEntry = chosen.filter(({ kept: run }) => run.campaign?.entry === entry);
    if (ofEntry.length === 0) return { text: `${title}.`, ofEntry, beware: [] };
    const { cells: pooled, beware } = ofEntry[0]!.pooled!;
    const paired = pairedTable(pooled, figures);
    const ratios = paired === null ? [] : [wrap(PAIRED_MEANING), renderMarkdown(paired)];
    const text = [`${title}:`, figuresTable(ofEntry, figures, cells, pooled), ...ratios].join('\n\n');
    return { text, ofEntry, beware: beware.map((warning) => wrap(`Beware: ${entry}: ${warning}.`)) };
  });
  // Once for all of them.
  const caution = cautionOf(sections.flatMap(({ ofEntry }) => ofEntry.map(({ kept }) => ({ ...kept, beware: [] }))));
  return [...sections.map(({ text }) => text), caution, ...sections.flatMap(({ beware }) => beware)]
    .filter(Boolean)
    .join('\n\n');
}

/** Unit costs, by the single blocks among the cells' runs, and how each is got. */
function unitCostsTables(runs: readonly ChosenCells[]): string {
  const single = runs.filter(({ pooled }) => pooled === null).map(({ run, kept }) => ({ name: run, kept }));
  const cards = cardsOf(blocksOf(single), cheapestMachine);
  const { notes, ...table } = costsTable(cards);
  const items = notes.map((note) => wrapItem(`- ${note}`)).join('\n');
  return [renderMarkdown(table), items, renderMarkdown(meaningsTable(cards))].join('\n\n');
}

/** Figures that a bench printed. */
export function benchTable({ measured, columns, rows }: Bench): string {
  const texts = rows.map((row) => row.map((value) => String(value ?? NOTHING)));
  return [wrap(`Measured with ${measured}:`), markdownTable(columns, texts)].join('\n\n');
}

function oneAfterAnother(write: (chosen: ChosenCells) => string | Promise<string>): TableWriter {
  return async (sql, cells) => {
    const texts = await Promise.all((await cells.chosen(sql)).map(write));
    return texts.join('\n\n');
  };
}

/** For a terminal, with the reason why a cell is not as it should be. */
function rowsTable({ kept, chosen }: ChosenCells): string {
  const { summary } = kept;
  const cells = chosen.map((index) => summary.cells[index]!);
  // A run's own tables have the remarks on single trials.
  const isOfCell = ({ trials }: Cell['messages'][number]) => trials.length === 0;
  const told = cells.map((cell) => {
    const messages = cell.messages.filter((message) => isReason(message) && isOfCell(message));
    return SCENARIOS[summary.scenario].isTyping ? { ...cell, messages } : cell;
  });
  const rows = formatRows({ ...summary, cells });
  const remarks = describeCells({ ...summary, cells: told }, '- ');
  return [
    wrap(`Measured on ${conditionsOf(kept)}:`),
    codeBlock(rows),
    explainMarks(rows),
    cautionOf([kept]),
    remarks.split('\n').map(wrapItem).join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Empty if no cell rests on a played crowd, and no blocks are of machines that differ. */
function cautionOf(runs: readonly KeptRun[]): string {
  const isOfCrowd = runs.some(({ summary }) => summary.cells.some(isOfPlayedCrowd));
  const sentences = [
    ...(isOfCrowd ? [`most users are ${CROWD_CAUTION}`] : []),
    ...runs.flatMap(({ beware = [] }) => beware),
  ];
  return sentences.map((sentence) => wrap(`Beware: ${sentence}.`)).join('\n\n');
}

/** Of documents: others' figures, and how the own ones grow. */
async function besideTables({ kept: { summary, plan } }: ChosenCells): Promise<string> {
  if (summary.scenario === 'typing') throw new Error(`${summary.experiment} is no run of documents: no such tables`);
  return documentTables(summary, plan.experiment.trace, await readPublishedDocumentFigures())
    .map((table) => [`${table.title}:`, renderMarkdown(table), ...table.notes.map(wrap)].join('\n\n'))
    .join('\n\n');
}

/** Figures of each cell of each run, with their intervals. @param pooled of blocks, the same cells with what each block found */
function figuresTable(
  runs: readonly ChosenCells[],
  figures: readonly Figure[],
  { markOf }: Cells,
  pooled: readonly PooledCell[] = [],
): string {
  const all = runs.flatMap(({ kept, chosen }) =>
    chosen.map((index) => {
      const cell = typedCells(kept)[index]!;
      const { framework, mode, users } = cell.parameters;
      const shown = { framework, server: SERVERS[cell.tier], mode, users, run: whenOf(kept.summary.startedAt) };
      return { ...cell, ...shown, replicates: kept.replicates?.[index] };
    }),
  );
  const identity = (['framework', 'server', 'mode', 'users', 'run'] as const).filter(
    (name, index) => index === 0 || new Set(all.map((cell) => cell[name])).size > 1,
  );
  const groups = Map.groupBy(all, cellKey).values();
  // Of one mode and one kind of server, as only these may be compared.
  const cells = [...groups]
    .flat()
    .toSorted((a, b) => modeRank(a) - modeRank(b) || TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier));
  const table = renderMarkdown({
    columns: [
      ...identity.map((name) => left(name)),
      right('valid trials'),
      ...figures.map(({ short }) => right(short)),
    ],
    rows: cells.map((cell) => [
      ...identity.map((name) => String(cell[name])),
      cell.validTrials === 1 ? ONE_TRIAL : `${cell.validTrials} of ${cell.trials}`,
      ...figures.map((figure) => {
        const text =
          isHeadline(figure) && cell.validTrials > 1 ? formatHeadline(figure, cell) : formatFigureOf(figure, cell);
        const mark = text === NOTHING ? '' : markOf(cell, figure.name);
        if (mark === null) return NOTHING;
        const overBlocks = pooled.find((each) => cellKey(each.cell) === cellKey(cell));
        const fullest = overBlocks !== undefined && lacksFullest(overBlocks, figure.name) ? ', not of the fullest' : '';
        return text + mark + shareOf(cell.replicates?.[figure.name]?.length, cell.validTrials) + fullest;
      }),
    ]),
  });
  // Of several runs, a column has the days.
  const hasDate = runs.length === 1;
  const captions = [...new Set(runs.map(({ kept }) => `Measured on ${conditionsOf(kept, { hasDate })}.`))];
  const isOfBlocks = runs.some(({ kept }) => kept.campaign !== undefined);
  const unit = isOfBlocks ? 'blocks, which differ in machine, hour and what is typed' : 'trials';
  const intervals = cells.some(({ trials }) => trials > 2) ? ` In brackets: the 95 % interval over ${unit}.` : '';
  // Blocks have a warning of their own.
  const beware = warnOfSpeeds(
    runs
      .filter(({ kept }) => kept.beware === undefined)
      .map(({ kept }) => ({ name: whenOf(kept.summary.startedAt), cells: typedCells(kept) })),
  ).map((warning) => `Beware: ${warning}.`);
  return [...captions.slice(0, -1), captions.at(-1) + intervals, ...beware]
    .map(wrap)
    .concat(table, explainMarks(table), pooled.length > 0 ? '' : cautionOf(runs.map(({ kept }) => kept)))
    .filter(Boolean)
    .join('\n\n');
}

function cellKey({ parameters }: Cell): string {
  return Object.values(parameters).join(' ');
}

/** Kind of server, by tier. */
const SERVERS = { library: 'relay', deployed: 'own', unknown: NOTHING };

function modeRank({ mode }: { mode: string }): number {
  return MODE_NAMES.findIndex((name) => mode.startsWith(name));
}

/** `, in 1 of 5` where some valid trials lack a figure: their mean is of fewer than the row says. */
function shareOf(known: number | undefined, validTrials: number): string {
  return known === undefined || known === 0 || known >= validTrials ? '' : `, in ${known} of ${validTrials}`;
}

/** The faults that were asked for, and how users fared; the page explains each column. */
function faultsTable({ kept }: ChosenCells): string {
  const tables = faultTables(typedCells(kept)).map((table) =>
    [`**${table.title}**`, renderMarkdown(table)].join('\n\n'),
  );
  const caption = `Measured on ${conditionsOf(kept)}${networkOf(kept)}. Means over trials; in brackets: their 95 % interval.`;
  return [wrap(caption), ...tables].join('\n\n');
}

/** Of a version against itself: how often `compare` said each word. */
function wordsTable({ kept }: ChosenCells): string {
  const words = kept.words!.flatMap(({ figures }) => figures.map(({ word }) => word));
  const pairs = kept.words!.map(
    ({ framework, mode, users, ...cell }) => `${framework} ${mode}, ${users} users: ${cell.pairs}`,
  );
  return [
    wrap(`Measured on ${conditionsOf(kept)}. Pairs that count: ${pairs.join('; ')}.`),
    markdownTable(
      ['word', 'comparisons'],
      [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, String(all.length)]),
    ),
  ].join('\n\n');
}

function typedCells({ summary }: KeptRun): TypingCell[] {
  const cells = typingCells(summary);
  if (cells.length === 0) throw new Error(`${summary.experiment} is a run of documents, which has no such table`);
  return cells;
}

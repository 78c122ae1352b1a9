/**
 * Tables of kept runs in Markdown. A page's comment names the table, the experiment and, for some, a choice: `rows of compare,
 * mode optquill, users 8`. A table is of every kept run of the experiment, never of the newest alone.
 */

import { lacksFullest, PAIRED_MEANING, pairedTable } from '../../analysis/campaign/paired-blocks.ts';
import { type PooledCell, poolBlocks } from '../../analysis/campaign/pool-blocks.ts';
import { TIERS } from '../../analysis/cell/cell.ts';
import { CROWD_CAUTION, isOfPlayedCrowd } from '../../analysis/cell/cells.ts';
import { isReason } from '../../analysis/cell/messages.ts';
import { describeCells as describeDocuments, layOutCells } from '../../analysis/documents/table.ts';
import { tablesBeside } from '../../analysis/documents/tables-beside.ts';
import { figureNamed, HEADLINE_FIGURES } from '../../analysis/figures/catalogue.ts';
import { BUSY_MACHINE_PERCENT } from '../../analysis/figures/criterion.ts';
import { type Figure, isHeadline } from '../../analysis/figures/figure.ts';
import { BUSY_MARK, formatFigureOf, formatHeadline, NOTHING, ONE_TRIAL } from '../../analysis/figures/figure-text.ts';
import { warnOfSpeeds } from '../../analysis/figures/machine-speed.ts';
import { faultTables } from '../../analysis/report/tables-beside.ts';
import {
  type Bench,
  isOfDocuments,
  type KeptRun,
  keptNames,
  readBenches,
  readKept,
} from '../../analysis/site/kept-runs.ts';
import { poolCampaigns } from '../../analysis/site/pool-campaigns.ts';
import { markdownTable, renderMarkdown } from '../../analysis/tables/render.ts';
import { describeCells, formatRows } from '../../analysis/tables/summary-table.ts';
import { left, right } from '../../analysis/tables/table.ts';
import { MODE_NAMES } from '../../frameworks/modes.ts';
import { loadCampaign } from '../../harness/campaign/campaign.ts';
import type { CellSummary, Summary } from '../../results/formats/summary.ts';
import { readPublishedDocumentFigures } from '../../results/published/document-figures.ts';
import { shownToBeEqual } from '../bench/crowd-rounds.ts';
import { codeBlock, conditionsOf, networkOf, whenOf, wrap, wrapItem } from './wording.ts';

const PART = /^([a-z]+) of ([^\s,]+)(?:, (.*))?$/;

type RunWriter = (kept: KeptRun, choice: string) => string | Promise<string>;
type TableWriter = (runs: readonly KeptRun[], choice: string, root?: string) => string | Promise<string>;

const WRITERS: Readonly<Record<string, TableWriter>> = {
  rows: oneAfterAnother(rowsTable),
  beside: oneAfterAnother(besideTables),
  figures: figuresTable,
  faults: oneAfterAnother(faultsTable),
  answer: oneAfterAnother((kept) =>
    [wrap(`Measured on ${conditionsOf(kept, { hasTrials: false })}:`), kept.answer!.trim()].join('\n\n'),
  ),
  words: oneAfterAnother(wordsTable),
};

/**
 * Writes the table that a page's comment names.
 *
 * @returns null if the comment names no table of kept runs
 * @throws Error if no run of the experiment is kept
 */
export async function writeKeptTable(part: string, root?: string): Promise<string | null> {
  const [, kind = '', experiment = '', choice = ''] = PART.exec(part) ?? [];
  if (kind === 'bench') return benchTable((await readBenches()).find(({ name }) => name === experiment)!);
  if (kind === 'blocks') return await blocksTables(experiment, choice, root);
  const write = WRITERS[kind];
  if (write === undefined) return null;
  const runs = await keptRuns(experiment, root);
  if (runs.length === 0) throw new Error(`no run of ${experiment} is kept; there are: ${await keptNames(root)}`);
  return await write(runs, choice, root);
}

/** Of an experiment, with blocks of a campaign as one. */
async function keptRuns(experiment: string, root?: string): Promise<KeptRun[]> {
  const names = await keptNames(root, experiment);
  const kept = await Promise.all(names.map(async (name) => ({ name, kept: await readKept(name, root) })));
  return (
    poolCampaigns(kept)
      .map((run) => run.kept)
      // A run whose cells are all withdrawn is none; one of words alone is.
      .filter(({ summary, words }) => summary.cells.length > 0 || words !== undefined)
  );
}

/** Chosen figures of each entry of a part, such as `blocks of first-question/hundred, userCpuPercent`; entries without a block are gaps. */
async function blocksTables(campaignPart: string, choice: string, root?: string): Promise<string> {
  const [campaign = '', name] = campaignPart.split('/');
  const { parts } = await loadCampaign(campaign, { isDry: true });
  const { blocks, entries } = parts.find((part) => part.name === name)!;
  const sections = await Promise.all(
    entries.map(async (entry) => {
      const names = await keptNames(root, `${campaign}-${name}-${entry.name}`);
      const kept = await Promise.all(names.map(async (each) => ({ name: each, kept: await readKept(each, root) })));
      const title = `**${entry.name}**: ${kept.length < blocks ? `${kept.length} of ${blocks}` : kept.length} blocks`;
      if (kept.length === 0) return { text: `${title}.`, runs: [], beware: [] };
      const runs = poolCampaigns(kept).map((run) => run.kept);
      if (runs.every(({ summary }) => summary.cells.length === 0))
        return { text: `**${entry.name}**: its blocks are withdrawn.`, runs: [], beware: [] };
      const { cells, beware } = poolBlocks(
        kept.map((each, index) => ({ block: index + 1, summary: each.kept.summary })),
      );
      const paired = pairedTable(cells, figuresNamed(choice));
      const ratios = paired === null ? [] : [wrap(PAIRED_MEANING), renderMarkdown(paired)];
      const text = [`${title}:`, await figuresTable(runs, choice, root, cells), ...ratios].join('\n\n');
      return { text, runs, beware: beware.map((warning) => `${entry.name}: ${warning}`) };
    }),
  );
  // Once for all of them.
  const runs = sections.flatMap((section) => section.runs.map((run) => ({ ...run, beware: [] })));
  const beware = sections.flatMap((section) => section.beware).map((warning) => wrap(`Beware: ${warning}.`));
  return [...sections.map(({ text }) => text), cautionOf(runs), ...beware].filter(Boolean).join('\n\n');
}

function benchTable({ measured, columns, rows }: Bench): string {
  const texts = rows.map((row) => row.map((value) => String(value ?? NOTHING)));
  return [wrap(`Measured with ${measured}:`), markdownTable(columns, texts)].join('\n\n');
}

function oneAfterAnother(write: RunWriter): TableWriter {
  return async (runs, choice) => {
    const texts = await Promise.all(runs.map((run) => write(run, choice)));
    return texts.filter(Boolean).join('\n\n');
  };
}

/** For a terminal: the cells that have these values, such as `mode optquill, users 8`, and why one is not as it should be. */
function rowsTable(kept: KeptRun, choice: string): string {
  const chosen = choice.split(', ').map((pair) => pair.split(' '));
  const isChosen = (cell: object) =>
    choice === '' || chosen.every(([name, value]) => String((cell as Record<string, unknown>)[name!]) === value);
  const { summary } = kept;
  if (!summary.cells.some(isChosen)) return '';
  const [rows, remarks] = isOfDocuments(summary)
    ? documentRows({ ...summary, cells: summary.cells.filter(isChosen) })
    : typingRows({ ...summary, cells: summary.cells.filter(isChosen) });
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
  const isOfCrowd = runs.some(({ summary }) => !isOfDocuments(summary) && summary.cells.some(isOfPlayedCrowd));
  const sentences = [
    ...(isOfCrowd ? [`most users are ${CROWD_CAUTION}`] : []),
    ...runs.flatMap(({ beware = [] }) => beware),
  ];
  return sentences.map((sentence) => wrap(`Beware: ${sentence}.`)).join('\n\n');
}

/** Stands behind a figure beside a played crowd that was not shown to equal the one beside live users. */
const CROWD_MARK = '°';
/** Of the trial, whoever its users are. */
const OF_ANY_CROWD = ['machineCpuPercent', 'documentCharacters'];

/**
 * Gives the mark of a cell's figure, by the kept rounds of the bench of crowds: empty if it needs none, null if the figure was shown to
 * differ, and is not printed.
 */
export async function crowdMarks(root?: string) {
  const shown = await shownToBeEqual(root);
  return (cell: Pick<CellSummary, 'framework' | 'crowdLateMs'>, figure: string): string | null => {
    if (!isOfPlayedCrowd(cell) || OF_ANY_CROWD.includes(figure)) return '';
    const word = shown(cell.framework, figure);
    return word === 'not equal' ? null : word === 'equal' ? '' : CROWD_MARK;
  };
}

/** Empty if no figure has a mark. */
function explainMarks(table: string): string {
  const meanings = {
    [BUSY_MARK]: `the machine was over ${BUSY_MACHINE_PERCENT} % busy, so the latency is partly its own.`,
    [CROWD_MARK]: 'beside a played crowd, and not shown to equal what live users give.',
  };
  const used = Object.entries(meanings).filter(([mark]) => new RegExp(`\\d\\)?!?${mark}`).test(table));
  return used.map(([mark, meaning]) => wrap(`${mark}: ${meaning}`)).join('\n\n');
}

function documentRows(summary: Parameters<typeof layOutCells>[0]): [string, string] {
  return [layOutCells(summary), describeDocuments(summary, '- ')];
}

/** A run's own tables have the remarks on single trials. */
function typingRows(summary: Summary): [string, string] {
  const cells = summary.cells.map((cell) => ({
    ...cell,
    messages: cell.messages.filter((message) => isReason(message) && message.trials.length === 0),
  }));
  return [formatRows(summary), describeCells({ ...summary, cells }, '- ')];
}

/** Of documents: others' figures, and how the own ones grow. */
async function besideTables({ summary, plan }: KeptRun): Promise<string> {
  if (!isOfDocuments(summary)) throw new Error(`${summary.experiment} is no run of documents, and has no such tables`);
  return tablesBeside(summary, plan.experiment.trace, await readPublishedDocumentFigures())
    .map((table) => [`${table.title}:`, renderMarkdown(table), ...table.notes.map(wrap)].join('\n\n'))
    .join('\n\n');
}

/** Chosen figures of each cell of each run, with their intervals; without a choice, the headline ones. */
async function figuresTable(
  runs: readonly KeptRun[],
  choice: string,
  root?: string,
  blocks: readonly PooledCell[] = [],
): Promise<string> {
  const markOf = await crowdMarks(root);
  const figures = figuresNamed(choice);
  const all = runs.flatMap((run) =>
    typingSummaryOf(run).cells.map((cell, index) => ({
      ...cell,
      server: SERVERS[cell.tier],
      run: whenOf(run.summary.startedAt),
      replicates: run.replicates?.[index],
    })),
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
        const pooled = blocks.find(({ summary }) => cellKey(summary) === cellKey(cell));
        const fullest = pooled !== undefined && lacksFullest(pooled, figure.name) ? ', not of the fullest' : '';
        return text + mark + shareOf(cell.replicates?.[figure.name]?.length, cell.validTrials) + fullest;
      }),
    ]),
  });
  // Of several runs, a column has the days.
  const hasDate = runs.length === 1;
  const captions = [...new Set(runs.map((run) => `Measured on ${conditionsOf(run, { hasDate })}.`))];
  const isOfBlocks = runs.some(({ campaign }) => campaign !== undefined);
  const unit = isOfBlocks ? 'blocks, which differ in machine, hour and what is typed' : 'trials';
  const intervals = cells.some(({ trials }) => trials > 2) ? ` In brackets: the 95 % interval over ${unit}.` : '';
  // Blocks have a warning of their own.
  const beware = warnOfSpeeds(
    runs
      .filter(({ beware }) => beware === undefined)
      .map((run) => ({ name: whenOf(run.summary.startedAt), cells: typingSummaryOf(run).cells })),
  ).map((warning) => `Beware: ${warning}.`);
  return [...captions.slice(0, -1), captions.at(-1) + intervals, ...beware]
    .map(wrap)
    .concat(table, explainMarks(table), blocks.length > 0 ? '' : cautionOf(runs))
    .filter(Boolean)
    .join('\n\n');
}

function figuresNamed(choice: string): readonly Figure[] {
  return choice === '' ? HEADLINE_FIGURES : choice.split(' ').map((name) => figureNamed(name as Figure['name']));
}

function cellKey(cell: object): string {
  const { framework, mode, users } = cell as CellSummary;
  return `${framework} ${mode} ${users}`;
}

/** Kind of server, by tier. */
export const SERVERS = { library: 'relay', deployed: 'own', unknown: NOTHING };

function modeRank({ mode }: { mode: string }): number {
  return MODE_NAMES.findIndex((name) => mode.startsWith(name));
}

/** `, in 1 of 5` where some valid trials lack a figure: their mean is of fewer than the row says. */
function shareOf(known: number | undefined, validTrials: number): string {
  return known === undefined || known === 0 || known >= validTrials ? '' : `, in ${known} of ${validTrials}`;
}

/** The faults that were asked for, and how users fared; the page explains each column. */
function faultsTable(kept: KeptRun): string {
  const tables = faultTables(typingSummaryOf(kept).cells).map((table) =>
    [`**${table.title}**`, renderMarkdown(table)].join('\n\n'),
  );
  const caption = `Measured on ${conditionsOf(kept)}${networkOf(kept)}. Means over trials; in brackets: their 95 % interval.`;
  return [wrap(caption), ...tables].join('\n\n');
}

/** Of a version against itself: how often `compare` said each word. */
function wordsTable(kept: KeptRun): string {
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

function typingSummaryOf({ summary }: KeptRun): Summary {
  if (isOfDocuments(summary)) throw new Error(`${summary.experiment} is a run of documents, which has no such table`);
  return summary;
}

/** The report of a campaign: `campaign.json` with every figure over blocks, `campaign.md` with those that a reader looks at first. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { documentSummarySchema } from '../../results/formats/documents.ts';
import {
  BLOCK_FILE,
  type BlockRecord,
  blockSchema,
  type Rung,
  SUMMARY_FILE,
} from '../../results/formats/run-directory.ts';
import type { Summary } from '../../results/formats/summary.ts';
import { writeFileAtomically, writeJson } from '../../results/formats/write-file.ts';
import { readJson, readRungs } from '../../results/run-folder/run-files.ts';
import { cellJson, readSummary } from '../cell/cell-json.ts';
import { HEADLINE_FIGURES } from '../figures/catalogue.ts';
import { formatAmount, NOTHING } from '../figures/figure-text.ts';
import { describeSpeed, nameOfMachine, warnOfSpeeds } from '../figures/machine-speed.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import type { MeasuredRun } from '../scenarios/cell.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { renderMarkdown, withoutMarkup } from '../tables/render.ts';
import { left, right, type Table } from '../tables/table.ts';
import { type Card, cardsOf, cardTable } from './cards.ts';
import { climbOf, describeClimb } from './ladder.ts';
import { nameOfCode, warnOfCode } from './measured-code.ts';
import { PAIRED_MEANING, pairedTable } from './paired-blocks.ts';
import { type PooledBlocks, type PooledCell, poolBlocks } from './pool-blocks.ts';
import type { MachineFor } from './unit-costs.ts';

const REPORT_JSON = 'campaign.json';
export const REPORT_MARKDOWN = 'campaign.md';

/** A part of a campaign as it is planned. */
export interface ReportedPart {
  name: string;
  question: string;
  /** How many are to be. */
  blocks: number;
  ladder: boolean;
  /** The parameters of each entry's cells: those that no block has are shown as gaps. */
  entries: { name: string; cells: Record<string, unknown>[] }[];
}

interface EntryReport extends PooledBlocks {
  name: string;
  /** Planned cells that no block has; a count that a ladder left out is none. */
  missing: Record<string, unknown>[];
  /** Of a ladder, for each block. */
  rungs: Rung[][];
}

/** The folder of a block; each entry has a run folder in it. */
export function blockFolder(campaignFolder: string, part: string, block: number): string {
  return join(campaignFolder, part, `block-${block}`);
}

/** An earlier command may have asked for more blocks than this one. @returns 0 if none has begun */
export function highestBlock(campaignFolder: string, part: string): number {
  const folder = join(campaignFolder, part);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return Math.max(0, ...names.map((name) => Number(/^block-(\d+)$/.exec(name)?.[1] ?? 0)));
}

/** @returns null if the block has not begun */
export async function readBlock(directory: string): Promise<BlockRecord | null> {
  const path = join(directory, BLOCK_FILE);
  return existsSync(path) ? await readJson(path, blockSchema) : null;
}

/**
 * Writes it into the campaign's folder.
 *
 * @param campaign.asked names of the parts that a person wants to see now
 * @returns their Markdown and capacity cards
 */
export async function writeCampaignReport(
  directory: string,
  { name, parts, asked }: { name: string; parts: readonly ReportedPart[]; asked: ReadonlySet<string> },
  machineFor: MachineFor,
): Promise<{ markdown: string; cards: Card[] }> {
  const sections: { isAsked: boolean; text: string }[] = [{ isAsked: true, text: `# ${name}` }];
  const json: object[] = [];
  const all: Card[] = [];
  for (const part of parts) {
    const folders = Array.from({ length: part.blocks }, (_, index) => blockFolder(directory, part.name, index + 1));
    const entries = await Promise.all(part.entries.map((entry) => readEntry(folders, entry, part.ladder)));
    const cards = cardsOf(runsOfBlocks(entries), machineFor);
    const section = sectionOf(part, await Promise.all(folders.map(readBlock)), entries);
    const isAsked = asked.has(part.name);
    sections.push({ isAsked, text: [section, ...cards.map(cardSection)].join('\n\n') });
    json.push({ ...part, entries: entries.map(entryJson), cards });
    if (isAsked) all.push(...cards);
  }
  const markdownOf = (some: typeof sections) => `${withoutMarkup(some.map(({ text }) => text).join('\n\n'))}\n`;
  await writeJson(join(directory, REPORT_JSON), { schemaVersion: 1, campaign: name, parts: json });
  await writeFileAtomically(join(directory, REPORT_MARKDOWN), markdownOf(sections));
  return { markdown: markdownOf(sections.filter(({ isAsked }) => isAsked)), cards: all };
}

/** In the order of the blocks: what its entries measured. */
function runsOfBlocks(entries: readonly EntryReport[]): MeasuredRun[][] {
  const runs = entries.flatMap(({ blocks }) => blocks).toSorted((a, b) => a.block - b.block);
  return [...Map.groupBy(runs, ({ block }) => block).values()].map((own) => own.map(({ summary }) => summary));
}

function cardSection(card: Card): string {
  const { title, notes, ...table } = cardTable(card);
  return [`### ${title}`, renderMarkdown(table), notes.map((note) => `- ${note}`).join('\n')].join('\n\n');
}

/** As the run wrote it: figures that are younger than the run are missing in it. */
const summarySchema = z.union([
  documentSummarySchema,
  z.looseObject({ experiment: z.string(), cells: z.array(z.looseObject({ framework: z.string() })) }),
]);

async function readEntry(
  folders: readonly string[],
  { name, cells }: ReportedPart['entries'][number],
  isLadder: boolean,
): Promise<EntryReport> {
  const read = folders.map(async (folder, index) => {
    const path = join(folder, name, SUMMARY_FILE);
    if (!existsSync(path)) return [];
    const summary = readSummary((await readJson(path, summarySchema)) as unknown as Summary);
    // Without a cell no trial has ended: then machine and code are those of none.
    return summary.cells.length === 0 ? [] : [{ block: index + 1, summary }];
  });
  const rungs = await Promise.all(folders.map((folder) => readRungs(join(folder, name))));
  const pooled = poolBlocks((await Promise.all(read)).flat());
  const keyOf = (parameters: Record<string, unknown>) => JSON.stringify(Object.entries(parameters).sort());
  const known = new Set(pooled.cells.map(({ parameters }) => keyOf(parameters)));
  const missing = cells.filter((cell) => !known.has(keyOf(cell)));
  return { name, ...pooled, missing: isLadder ? [] : missing, rungs: rungs.map((found) => found ?? []) };
}

function entryJson({ name, blocks, cells, missing, beware }: EntryReport): object {
  return {
    ...{ name, missing, beware },
    blocks: blocks.map(({ block, summary: { experiment, startedAt, environment } }) => {
      return { block, experiment, startedAt, environment };
    }),
    cells: cells.map(({ cell, replicates }) => {
      return { summary: cellJson(cell, blocks[0]!.summary.scenario), replicates };
    }),
  };
}

function sectionOf(
  part: ReportedPart,
  records: readonly (BlockRecord | null)[],
  entries: readonly EntryReport[],
): string {
  const found = records.map((record, index) => {
    const own = entries.flatMap(({ blocks }) => blocks.filter(({ block }) => block === index + 1));
    const summaries = own.map(({ summary }) => summary);
    return { record, summaries, name: `block ${index + 1}`, cells: summaries.flatMap(({ cells }) => cells) };
  });
  const machines = found.map(({ record, summaries, cells }, index) => {
    const line = record === null || summaries.length === 0 ? 'not measured yet' : machineOf(record, summaries, cells);
    return `- Block ${index + 1}: ${line}`;
  });
  const measured = found.filter(({ summaries }) => summaries.length > 0);
  const kinds = new Set(measured.map(({ summaries: [first] }) => nameOfMachine(first!.environment)));
  return [
    `## ${part.name}`,
    part.question,
    machines.join('\n'),
    ...[
      ...warnOfCode(
        measured.flatMap(({ name, summaries }) => summaries.map(({ environment }) => ({ name, environment }))),
      ),
      ...(kinds.size > 1 ? [`blocks of several machines stand here as repeats of one: ${[...kinds].join('; ')}`] : []),
      ...warnOfSpeeds(measured, { isOneMachine: false }),
    ].map((warning) => `Beware: ${warning}.`),
    ...climbsOf(part, entries),
    renderMarkdown(tableOf(part, entries)),
    NOTE,
    ...entries.flatMap(ratiosOf),
  ].join('\n\n');
}

/** How far each framework climbed, if the part is a ladder. */
function climbsOf(part: ReportedPart, entries: readonly EntryReport[]): string[] {
  const sittings = Array.from({ length: part.blocks }, (_, index) => entries.flatMap(({ rungs }) => rungs[index]!));
  const planned = part.entries.flatMap(({ cells }) => cells);
  const frameworks = part.ladder ? new Set(planned.map(({ framework }) => String(framework))) : [];
  const rows = [...frameworks].map((framework) => {
    const counts = planned.filter((cell) => cell.framework === framework).map(({ users }) => Number(users));
    const climb = climbOf(framework, sittings, counts);
    return [framework, describeClimb(climb), climb.end?.gaveOut.join(', ') ?? NOTHING];
  });
  const columns = [left('framework'), left('people'), left('ended by')];
  return rows.length === 0 ? [] : [renderMarkdown({ columns, rows })];
}

/** Of people who type; documents by themselves name no framework. */
function ratiosOf({ name, cells }: EntryReport): string[] {
  const table = pairedTable(cells, HEADLINE_FIGURES);
  return table === null ? [] : [`**${name}**: ${PAIRED_MEANING}`, renderMarkdown(table)];
}

const NOTE = `Each block counts once: the mean is over blocks, for times the geometric one, and the interval is Student's t over blocks, from ${MIN_TRIALS} on. The blocks' own figures stand in the order of the blocks; ${NOTHING}: not measured, or not valid.`;

function machineOf({ sittings }: BlockRecord, [summary]: readonly MeasuredRun[], cells: MeasuredRun['cells']): string {
  const times = sittings.length < 2 ? '' : `, in ${sittings.length} sittings`;
  const began = sittings[0]?.startedAt.slice(0, 16).replace('T', ' ');
  const when = began === undefined ? 'begun at an unknown time' : `${began} UTC${times}`;
  return `${when}, ${nameOfMachine(summary!.environment)}, ${describeSpeed(cells)}, ${nameOfCode(summary!.environment)}`;
}

/** One row for each figure of each cell; a cell without any has one row. */
function tableOf(part: ReportedPart, entries: readonly EntryReport[]): Table {
  return {
    columns: [
      ...[left('entry'), left('cell'), left('figure')],
      ...[right('mean'), right('95 % interval'), right('blocks'), right('blocks’ own figures')],
    ],
    rows: entries.flatMap((entry) => [
      ...entry.cells.flatMap((cell) => rowsOf(entry, cell, part.blocks)),
      ...entry.missing.map((cell) => [entry.name, Object.values(cell).join(' '), NOTHING, NOTHING, NOTHING, '0', '']),
    ]),
  };
}

function rowsOf({ name, blocks }: EntryReport, pooled: PooledCell, planned: number): string[][] {
  const { parameters, cell, replicates } = pooled;
  const first = [name, Object.values(parameters).join(' ')];
  const { isTyping, compared, inTable } = SCENARIOS[blocks[0]!.summary.scenario];
  const shown = isTyping ? compared : inTable;
  const rows = shown.flatMap((figure) => {
    const found = replicates[figure.name] ?? [];
    const known = found.filter((value) => value !== null).length;
    if (known === 0) return [];
    const ci95 = cell.ci95[figure.name];
    const own = Array.from({ length: planned }, (_, index) => {
      return formatAmount(found[blocks.findIndex(({ block }) => block === index + 1)]);
    });
    return [
      [
        ...[...first, `${figure.label}, ${figure.unit}`, formatAmount(cell.figures[figure.name])],
        ci95 ? `${formatAmount(ci95.low)} to ${formatAmount(ci95.high)}` : NOTHING,
        ...[`${known} of ${planned}`, own.join(' · ')],
      ],
    ];
  });
  return rows.length > 0 ? rows : [[...first, cell.verdict, NOTHING, NOTHING, `0 of ${planned}`, '']];
}

/** The report of a campaign: `campaign.json` with every figure over blocks, `campaign.md` with those that a reader looks at first. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { documentSummarySchema } from '../../results/formats/documents.ts';
import { BLOCK_FILE, blockSchema, SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import { writeFileAtomically, writeJson } from '../../results/formats/write-file.ts';
import { readJson } from '../../results/run-folder/run-files.ts';
import { CATALOGUES } from '../documents/table.ts';
import { HEADLINE_FIGURES } from '../figures/catalogue.ts';
import { valueAt } from '../figures/figure.ts';
import { formatAmount, NOTHING } from '../figures/figure-text.ts';
import { describeSpeed, warnOfSpeeds } from '../figures/machine-speed.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { renderMarkdown } from '../tables/render.ts';
import { type Column, left, right } from '../tables/table.ts';
import {
  type AnyRunSummary,
  type BlockSummary,
  type PooledBlocks,
  type PooledCell,
  parametersOf,
  poolBlocks,
} from './pool-blocks.ts';

const REPORT_JSON = 'campaign.json';
export const REPORT_MARKDOWN = 'campaign.md';

/** A part of a campaign as it is planned. */
export interface ReportedPart {
  name: string;
  question: string;
  /** How many are to be. */
  blocks: number;
  /** The parameters of each entry's cells: those that no block has are shown as gaps. */
  entries: { name: string; cells: Record<string, unknown>[] }[];
}

interface EntryReport extends PooledBlocks {
  name: string;
  /** Planned cells that no block has. */
  missing: Record<string, unknown>[];
}

/** The folder of a block; each entry has a run folder in it. */
export function blockFolder(campaignFolder: string, part: string, block: number): string {
  return join(campaignFolder, part, `block-${block}`);
}

/**
 * Writes the report into the campaign's folder.
 *
 * @returns the Markdown
 */
export async function writeCampaignReport(
  directory: string,
  { name, parts }: { name: string; parts: readonly ReportedPart[] },
): Promise<string> {
  const sections: string[] = [`# ${name}`];
  const json: object[] = [];
  for (const part of parts) {
    const entries: EntryReport[] = [];
    for (const entry of part.entries) entries.push(await readEntry(directory, part, entry));
    sections.push(await sectionOf(directory, part, entries));
    json.push({ ...part, entries: entries.map(entryJson) });
  }
  const markdown = `${sections.join('\n\n')}\n`;
  await writeJson(join(directory, REPORT_JSON), { schemaVersion: 1, campaign: name, parts: json });
  await writeFileAtomically(join(directory, REPORT_MARKDOWN), markdown);
  return markdown;
}

/** As the run wrote it: figures that are younger than the run are missing in it. */
const summarySchema = z.union([
  documentSummarySchema,
  z.looseObject({ experiment: z.string(), cells: z.array(z.looseObject({ framework: z.string() })) }),
]);

async function readEntry(
  directory: string,
  part: ReportedPart,
  { name, cells }: ReportedPart['entries'][number],
): Promise<EntryReport> {
  const blocks: BlockSummary[] = [];
  for (let block = 1; block <= part.blocks; block++) {
    const path = join(blockFolder(directory, part.name, block), name, SUMMARY_FILE);
    if (!existsSync(path)) continue;
    blocks.push({ block, summary: (await readJson(path, summarySchema)) as unknown as AnyRunSummary });
  }
  const pooled = blocks.length === 0 ? { blocks, cells: [], beware: [] } : poolBlocks(blocks);
  const known = new Set(pooled.cells.map(({ summary }) => keyOf(parametersOf(summary, blocks[0]!.summary))));
  return { name, ...pooled, missing: cells.filter((cell) => !known.has(keyOf(cell))) };
}

function keyOf(parameters: Record<string, unknown>): string {
  return JSON.stringify(Object.entries(parameters).sort());
}

function entryJson({ name, blocks, cells, missing, beware }: EntryReport): object {
  return {
    ...{ name, missing, beware },
    blocks: blocks.map(({ block, summary: { experiment, startedAt, environment } }) => {
      return { block, experiment, startedAt, environment };
    }),
    cells,
  };
}

async function sectionOf(directory: string, part: ReportedPart, entries: readonly EntryReport[]): Promise<string> {
  const machines: string[] = [];
  for (let block = 1; block <= part.blocks; block++) {
    const line = await machineLine(directory, part, block, entries);
    machines.push(`- Block ${block}: ${line}`);
  }
  const all = entries.flatMap(({ blocks }) => blocks);
  const ofBlocks = [...Map.groupBy(all, ({ block }) => block)].sort(([a], [b]) => a - b);
  const beware = warnOfSpeeds(
    ofBlocks.map(([block, found]) => ({ name: `block ${block}`, cells: found.flatMap(cellsOf) })),
    { isOneMachine: false },
  );
  return [
    `## ${part.name}`,
    part.question,
    machines.join('\n'),
    ...beware.map((warning) => `Beware: ${warning}.`),
    renderMarkdown(tableOf(part, entries)),
    NOTE,
  ].join('\n\n');
}

/** The meaning of the columns. */
const NOTE = `Each block counts once: the mean is over blocks, for times the geometric one, and the interval is Student's t over blocks, from ${MIN_TRIALS} on. The blocks' own figures stand in the order of the blocks; ${NOTHING}: not measured, or not valid.`;

function cellsOf({ summary }: BlockSummary): readonly object[] {
  return summary.cells;
}

async function machineLine(
  directory: string,
  part: ReportedPart,
  block: number,
  entries: readonly EntryReport[],
): Promise<string> {
  const path = join(blockFolder(directory, part.name, block), BLOCK_FILE);
  const summaries = entries.flatMap(({ blocks }) => blocks.filter((each) => each.block === block));
  if (!existsSync(path) || summaries.length === 0) return 'not measured yet';
  const { sittings } = await readJson(path, blockSchema);
  const { cpu, cores } = summaries[0]!.summary.environment as { cpu?: string; cores?: number };
  const speed = describeSpeed(summaries.flatMap(cellsOf));
  const times = sittings.length === 1 ? '' : `, in ${sittings.length} sittings`;
  return `${sittings[0]?.startedAt.slice(0, 16).replace('T', ' ')} UTC${times}, ${cores} cores of ${cpu}, ${speed}`;
}

/** A figure as the table shows it. */
interface ShownFigure {
  name: string;
  label: string;
  unit: string;
}

function shownFigures(summary: AnyRunSummary): readonly ShownFigure[] {
  if (!('scenario' in summary)) return HEADLINE_FIGURES;
  return CATALOGUES[summary.scenario].figures.filter(({ places }) => places.includes('main'));
}

/** One row for each figure of each cell; a cell without any has one row. */
function tableOf(part: ReportedPart, entries: readonly EntryReport[]): { columns: Column[]; rows: string[][] } {
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

function rowsOf(entry: EntryReport, { summary, replicates }: PooledCell, planned: number): string[][] {
  const of = entry.blocks[0]!.summary;
  const cell = Object.values(parametersOf(summary, of)).join(' ');
  const figures = shownFigures(of).map((figure) => ({ figure, found: replicates[figure.name] ?? [] }));
  const known = figures.filter(({ found }) => found.some((value) => value !== null));
  if (known.length === 0) return [[entry.name, cell, summary.verdict, NOTHING, NOTHING, `0 of ${planned}`, '']];
  return known.map(({ figure, found }) => {
    const ci95 = (summary.ci95 as Record<string, { low: number; high: number } | null>)[figure.name];
    const own = Array.from({ length: planned }, (_, index) => {
      return found[entry.blocks.findIndex(({ block }) => block === index + 1)] ?? null;
    });
    return [
      ...[entry.name, cell, `${figure.label}, ${figure.unit}`],
      formatAmount(valueAt(summary, figure.name)),
      ci95 ? `${formatAmount(ci95.low)} to ${formatAmount(ci95.high)}` : NOTHING,
      `${found.filter((value) => value !== null).length} of ${planned}`,
      own.map(formatAmount).join(' · '),
    ];
  });
}

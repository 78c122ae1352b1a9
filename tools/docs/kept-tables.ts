/**
 * Tables of kept runs in Markdown, as a run's own report has them. A page's comment names the run, the table and, for some,
 * a choice: `cells of 2026-11-23T0933-hundred`; `rows of 2026-11-22-compare, users 8`.
 */

import { formatDocumentRows, layOutCells } from '../../analysis/documents/table.ts';
import { tablesBeside } from '../../analysis/documents/tables-beside.ts';
import { figureNamed, HEADLINE_FIGURES } from '../../analysis/figures/catalogue.ts';
import { type Figure, figureOf, type HeadlineFigureName } from '../../analysis/figures/figure.ts';
import { countOf, formatWithInterval } from '../../analysis/figures/figure-text.ts';
import { faultTables } from '../../analysis/report/tables-beside.ts';
import { markdownTable, renderMarkdown } from '../../analysis/tables/render.ts';
import { formatMarkdownTable, formatRows } from '../../analysis/tables/summary-table.ts';
import { left, right } from '../../analysis/tables/table.ts';
import { formatDuration } from '../../harness/experiment/units.ts';
import type { Summary } from '../../results/formats/summary.ts';
import { readPublishedDocumentFigures } from '../../results/published/document-figures.ts';
import { isOfDocuments, type KeptRun, readKept } from './kept-runs.ts';

/** The README is read in any terminal. */
const COLUMNS = 118;
const PART = /^([a-z]+) of (\S+?)(?:, (.*))?$/;

type TableWriter = (kept: KeptRun, choice: string) => string | Promise<string>;

const WRITERS: Readonly<Record<string, TableWriter>> = {
  cells: cellsTable,
  rows: rowsTable,
  figures: figuresTable,
  faults: faultsTable,
  answer: (kept) =>
    [wrap(`Measured on ${conditionsOf(kept, { hasTrials: false })}:`), kept.answer!.trim()].join('\n\n'),
  words: wordsTable,
};

/** Writes the table that a page's comment names; null if the comment names no table of a kept run. */
export async function writeKeptTable(part: string, root?: string): Promise<string | null> {
  const [, kind = '', run = '', choice = ''] = PART.exec(part) ?? [];
  const write = WRITERS[kind];
  return write === undefined ? null : await write(await readKept(run, root), choice);
}

/** All cells with reasons and notes; of documents, also others' figures and how the own ones grow. */
async function cellsTable(kept: KeptRun): Promise<string> {
  const { summary, plan } = kept;
  const head = `\`${summary.experiment}.yaml\` on ${conditionsOf(kept)}.`;
  if (!isOfDocuments(summary)) return [wrap(head), formatMarkdownTable(summary)].join('\n\n');
  const beside = tablesBeside(summary, plan.experiment.trace, await readPublishedDocumentFigures());
  return [
    wrap(head),
    codeBlock(formatDocumentRows(summary)),
    ...beside.map((table) => [`${table.title}:`, renderMarkdown(table), ...table.notes.map(wrap)].join('\n\n')),
  ].join('\n\n');
}

/** For a terminal: the cells that have these values, such as `users 8`. */
function rowsTable(kept: KeptRun, choice: string): string {
  const { summary } = kept;
  const [name = '', value] = choice.split(' ');
  const isChosen = (cell: object) => choice === '' || String((cell as Record<string, unknown>)[name]) === value;
  const rows = isOfDocuments(summary)
    ? layOutCells({ ...summary, cells: summary.cells.filter(isChosen) })
    : formatRows({ ...summary, cells: summary.cells.filter(isChosen) });
  return [wrap(`Measured on ${conditionsOf(kept)}:`), codeBlock(rows)].join('\n\n');
}

/** Chosen figures of each cell with their intervals; without a choice, the headline ones. */
function figuresTable(kept: KeptRun, choice: string): string {
  const { cells } = typingSummaryOf(kept);
  const known = (name: string) => figureNamed(name as Figure['name']);
  const figures: readonly Figure[] = choice === '' ? HEADLINE_FIGURES : choice.split(' ').map(known);
  const identity = (['framework', 'mode', 'users'] as const).filter(
    (name, index) => index === 0 || new Set(cells.map((cell) => cell[name])).size > 1,
  );
  const table = renderMarkdown({
    columns: [
      ...identity.map((name) => left(name)),
      right('valid trials'),
      ...figures.map(({ short }) => right(short)),
    ],
    rows: cells.map((cell) => [
      ...identity.map((name) => String(cell[name])),
      `${cell.validTrials} of ${cell.trials}`,
      ...figures.map((figure) =>
        formatWithInterval(figureOf(cell, figure), cell.ci95[figure.name as HeadlineFigureName] ?? null),
      ),
    ]),
  });
  const caption = `Measured on ${conditionsOf(kept)}. In brackets: the 95 % interval over trials.`;
  return [wrap(caption), table].join('\n\n');
}

/** The faults that were asked for, and how users fared; the page explains each column. */
function faultsTable(kept: KeptRun): string {
  const tables = faultTables(typingSummaryOf(kept).cells).map((table) =>
    [`**${table.title}**`, renderMarkdown(table)].join('\n\n'),
  );
  const caption = `Measured on ${conditionsOf(kept)}. Means over trials; in brackets: their 95 % interval.`;
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

/** The machine and how it was measured there, in a line. */
export function conditionsOf({ plan, summary }: KeptRun, { hasTrials = true } = {}): string {
  const { trace, trials = 0, durations } = plan.experiment;
  const { cores, cpu, memoryMiB, os, chrome, node } = summary.environment;
  const all = [
    [os, ...(typeof chrome === 'string' ? [chrome] : []), `Node ${String(node).replace(/^v/, '')}`].join(', '),
    `the trace \`${trace}\``,
    ...(durations === undefined
      ? []
      : [`${formatDuration(durations.warmUpMs)} of warm-up and ${formatDuration(durations.measureMs)} measured`]),
    ...(hasTrials ? [trialsOf(summary, trials)] : []),
    dateOf(summary.startedAt),
  ];
  return `${countOf(Number(cores), 'core')} of ${cpu} with ${Math.round(Number(memoryMiB) / 1024)} GiB (${all.join('; ')})`;
}

/** As planned, or from the fewest on that a cell has, if the run of users was stopped before its end. */
function trialsOf(summary: KeptRun['summary'], planned: number): string {
  const fewest = isOfDocuments(summary) ? planned : Math.min(planned, ...summary.cells.map(({ trials }) => trials));
  return `${fewest < planned ? `${fewest} to ` : ''}${countOf(planned, 'trial')} of each`;
}

/** A day for people, such as 22 November 2026. */
export function dateOf(time: string): string {
  return new Date(time).toLocaleDateString('en-GB', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
  });
}

export function codeBlock(text: string): string {
  return ['```', text, '```'].join('\n');
}

/** Breaks lines between words before they become too long. */
export function wrap(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

/** What was measured of single documents, in Markdown: the newest kept run of an experiment, its tables and its charts. */

import { chartsOf } from '../../analysis/scenarios/charts.ts';
import { tablesBeside } from '../../analysis/scenarios/report.ts';
import { formatDocumentRows, layOutCells } from '../../analysis/scenarios/table.ts';
import { renderMarkdown } from '../../analysis/tables/render.ts';
import type { CaptionedTable } from '../../analysis/tables/table.ts';
import { readPublishedDocumentFigures } from '../../results/published/document-figures.ts';
import { documentConditionsOf, wrap } from './comparison.ts';
import type { MeasuredDocuments } from './measured.ts';

/** The one that the README shows. */
export const REPLAY = 'b4';

/** The experiments that the documents show, and which of their charts. */
export const DOCUMENT_RESULTS = {
  [REPLAY]: ['curve-edit-microseconds'],
  'b4-rust': [],
  b4x100: [],
  'b4-concurrent': [],
  'table-4': [],
  'late-join': [],
  'late-join-100k': [],
  'many-documents': [],
  'at-rest': [],
} as const satisfies Record<string, readonly string[]>;

export type DocumentResult = keyof typeof DOCUMENT_RESULTS;

export function isDocumentResult(experiment: string): experiment is DocumentResult {
  return Object.hasOwn(DOCUMENT_RESULTS, experiment);
}

/** The chart's file in `docs/`. */
export function documentChartFile(experiment: string, chart: string): string {
  return `${experiment}-${chart}.svg`;
}

/** Every cell, reasons and notes, what others published, and charts. */
export async function documentsInFull({ plan, summary }: MeasuredDocuments): Promise<string> {
  const studies = await readPublishedDocumentFigures();
  const beside = tablesBeside(summary, plan.experiment.trace, studies);
  const wanted: readonly string[] = isDocumentResult(summary.experiment) ? DOCUMENT_RESULTS[summary.experiment] : [];
  const charts = chartsOf(summary)
    .filter(({ id }) => wanted.includes(id))
    .map(({ id, title }) => `![${title}](${documentChartFile(summary.experiment, id)})`);
  return [
    wrap(`\`${summary.experiment}.yaml\` on ${documentConditionsOf({ plan, summary })}.`),
    ['```', formatDocumentRows(summary), '```'].join('\n'),
    ...charts,
    ...beside.map(markdownOf),
  ].join('\n\n');
}

/** Of a replay, what a live editor needs: each edit with its update. For the README, which is read in any terminal. */
export function replayInShort({ plan, summary }: MeasuredDocuments): string {
  const cells = summary.cells.filter(({ observe, updatesKiB }) => observe === 'updates' && updatesKiB !== null);
  return [
    wrap(`Measured on ${documentConditionsOf({ plan, summary })}:`),
    ['```', layOutCells({ ...summary, cells }), '```'].join('\n'),
  ].join('\n\n');
}

function markdownOf(table: CaptionedTable): string {
  return [`${table.title}:`, renderMarkdown(table), ...table.notes.map(wrap)].join('\n\n');
}

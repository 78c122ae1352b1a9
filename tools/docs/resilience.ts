/** How frameworks bore a fault, in Markdown. */

import { faultTables } from '../../analysis/report/resilience-table.ts';
import { renderMarkdown } from '../../analysis/tables/render.ts';
import { conditionsOf, wrap } from './comparison.ts';
import type { MeasuredRun } from './measured.ts';

/** The experiments that ask for a fault of every framework. */
export const FAULT_EXPERIMENTS = ['restart', 'offline'] as const;

/** A table for each of its faults; the page says what each column is. */
export function resilienceMarkdown(run: MeasuredRun): string {
  const { cells, experiment } = run.summary;
  const tables = faultTables(cells).map((table) => [`**${table.title}**`, renderMarkdown(table)].join('\n\n'));
  const caption = `\`${experiment}.yaml\` on ${conditionsOf(run)}. Means over trials; in brackets: their 95 % interval.`;
  return [wrap(caption), ...tables].join('\n\n');
}

/** Versions of libraries side by side, in Markdown: each headline figure with its interval. */

import { HEADLINE_FIGURES } from '../../analysis/figures/catalogue.ts';
import { figureOf } from '../../analysis/figures/figure.ts';
import { formatWithInterval } from '../../analysis/figures/figure-text.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import { headingOf, right } from '../../analysis/tables/table.ts';
import { conditionsOf, wrap } from './comparison.ts';
import type { MeasuredRun } from './measured.ts';

/** The experiment whose frameworks are versions. */
export const VERSIONS = 'versions';

export function versionsBeside(run: MeasuredRun): string {
  const { cells } = run.summary;
  const rows = cells.map((cell) => [
    `\`${cell.framework}\``,
    `${cell.validTrials} of ${cell.trials}`,
    ...HEADLINE_FIGURES.map((figure) => formatWithInterval(figureOf(cell, figure), cell.ci95[figure.name])),
  ]);
  const headings = ['version', 'valid trials', ...HEADLINE_FIGURES.map(({ short }) => headingOf(right(short)))];
  const caption = `\`${VERSIONS}.yaml\` on ${conditionsOf(run)}. In brackets: the 95 % interval over trials.`;
  return [wrap(caption), markdownTable(headings, rows)].join('\n\n');
}

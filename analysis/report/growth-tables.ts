/** The cost of a framework on top of the harness: its figures less those of a framework that does nothing. */
import type { CellSummary } from '../../results/formats/summary.ts';
import { FIGURES } from '../figures/catalogue.ts';
import { type FigureName, figureOf } from '../figures/figure.ts';
import { formatFigure, NOTHING } from '../figures/figure-text.ts';
import { type CaptionedTable, left, right } from '../tables/table.ts';
import type { ReportCell, ReportData } from './report-data.ts';

/** Passes edits on and merges nothing, so its cells are editor, Chrome, relay and harness alone. */
const BASELINE = 'loopback';
const NAMES: readonly FigureName[] = ['userCpuPercent', 'userMemoryMiB', 'serverCpuPercent'];
const COMPARED = FIGURES.filter(({ name }) => NAMES.includes(name));

/**
 * Has no rows where no run has cells of the baseline with the mode and users of others.
 *
 * @param all where the baseline is looked for: it is of one tier, and the baseline of every other too
 */
export function marginalTable({ cells, runs }: ReportData, all: readonly ReportCell[] = cells): CaptionedTable {
  const baselines = new Map(
    measuredOf(all)
      .filter(({ summary }) => summary.framework === BASELINE)
      .map((cell) => [conditionsOf(cell), cell.summary]),
  );
  const rows = measuredOf(cells).flatMap((cell) => {
    const baseline = baselines.get(conditionsOf(cell));
    const { framework, mode, users } = cell.summary;
    if (framework === BASELINE || baseline === undefined) return [];
    const { experiment, startedAt } = runs[cell.run]!;
    const run = runs.length > 1 ? [`${experiment} ${startedAt}`] : [];
    return [[...run, framework, mode, String(users), ...differences(cell.summary, baseline)]];
  });
  return {
    id: 'marginal',
    title: `Cost over ${BASELINE}, of the same run, mode and users`,
    columns: [
      ...[...(runs.length > 1 ? ['run'] : []), 'framework', 'mode'].map(left),
      ...['users', ...COMPARED.map(({ short }) => short)].map((heading) => right(heading)),
    ],
    rows,
    notes: [
      `What ${BASELINE} takes is the editor’s, Chrome’s, the harness’s and a relay’s: Chrome’s shared processes drop out, so these figures compare between user counts.`,
    ],
  };
}

function measuredOf(cells: readonly ReportCell[]): ReportCell[] {
  return cells.filter(({ summary }) => summary.validTrials > 0);
}

function conditionsOf({ run, summary: { mode, users } }: ReportCell): string {
  return JSON.stringify([run, mode, users]);
}

function differences(summary: CellSummary, baseline: CellSummary): string[] {
  return COMPARED.map((figure) => {
    const [value, base] = [figureOf(summary, figure), figureOf(baseline, figure)];
    return value === null || base === null ? NOTHING : formatFigure(value - base);
  });
}

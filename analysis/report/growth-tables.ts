/** Tables of growth with the users, and of the cost on top of a framework that does nothing. */
import type { CellSummary, ScalingLaw } from '../../results/formats/summary.ts';
import { SCALING_FIGURES, scalingLaws, withoutScaling } from '../cell/scaling.ts';
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

/** Has no rows where no framework has run with three user counts. */
export function scalingTable({ cells, runs }: Pick<ReportData, 'cells' | 'runs'>): CaptionedTable {
  const named = runs.map(({ experiment, startedAt }, run) => ({
    name: runs.length > 1 ? [`${experiment} ${startedAt}`] : [],
    cells: cells.filter((cell) => cell.run === run),
  }));
  const rows = named.flatMap((run) =>
    [...Map.groupBy(scalingLaws(run.cells), ({ framework, mode }) => JSON.stringify([framework, mode])).values()].map(
      (laws) => [...run.name, ...rowOf(laws)],
    ),
  );
  return {
    id: 'scaling',
    title: 'How figures grow with the users: the exponent',
    columns: [
      ...[...(runs.length > 1 ? ['run'] : []), 'framework', 'mode'].map(left),
      ...['users', ...SCALING_FIGURES.map(({ label }) => label)].map((heading) => right(heading)),
    ],
    rows,
    notes: [
      '0: does not grow; 1: grows like the number of users; 2: like its square. In brackets: the 95 % interval, by what the trials leave over of a straight line on log-log scales; it says nothing of user counts beyond these.',
      'A part that does not grow, as an idle server’s CPU or a user’s own typing, makes an exponent smaller.',
      ...named.flatMap((run) => withoutScaling(run.cells)),
    ],
  };
}

function rowOf(laws: readonly ScalingLaw[]): string[] {
  const { framework, mode } = laws[0]!;
  const counts = [...new Set(laws.flatMap(({ users }) => users))].sort((a, b) => a - b);
  const texts = SCALING_FIGURES.map(({ name }) => {
    const law = laws.find(({ figure }) => figure === name);
    return law === undefined ? NOTHING : textOf(law);
  });
  return [framework, mode, `${counts[0]}–${counts.at(-1)}`, ...texts];
}

/** `1.93 (1.80 to 2.06)`: either may be below 0. */
function textOf({ exponent, ci95 }: ScalingLaw): string {
  return `${exponent.toFixed(2)} (${ci95.low.toFixed(2)} to ${ci95.high.toFixed(2)})`;
}

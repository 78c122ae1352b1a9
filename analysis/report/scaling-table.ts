/** How figures grow with the number of users, as a table: one row per run, framework and mode. */
import type { ScalingLaw } from '../../results/formats/summary.ts';
import { SCALING_FIGURES, scalingLaws, withoutScaling } from '../cell/scaling.ts';
import { NOTHING } from '../figures/figure-text.ts';
import { type CaptionedTable, left, right } from '../tables/table.ts';
import type { ReportData } from './report-data.ts';

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

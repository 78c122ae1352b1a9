/** The Collabs paper's grid of users in Markdown: each cell that was measured here above the paper's, and the paper's most users. */

import { CROWD_CAUTION } from '../../analysis/cell/cells.ts';
import { reasonsOf as sentencesOf } from '../../analysis/cell/messages.ts';
import { formatHolds, NOTHING } from '../../analysis/figures/figure-text.ts';
import { warnOfSpeeds } from '../../analysis/figures/machine-speed.ts';
import { ownFigures, paperFigures } from '../../analysis/report/beside-paper.ts';
import { isOfPlayedCrowd, type TypingCell, typingCells } from '../../analysis/scenarios/cell.ts';
import type { KeptRun } from '../../analysis/site/kept-file.ts';
import { markdownTable } from '../../analysis/tables/render.ts';
import { PAPER_COLUMNS, PAPER_SHEETS } from '../../results/published/paper-sheets.ts';
import { readPublishedStudy } from '../../results/published/read-study.ts';
import type { PublishedTable } from '../../results/published/study.ts';
import type { Cells, ChosenCells } from './cells.ts';
import { explainMarks, type MarkOf } from './crowd-benches.ts';
import { conditionsOf, whenOf, wrap } from './wording.ts';

/**
 * Each cell of the paper's grid that was measured here, every time that it was, with the paper's below it.
 *
 * @param grid the oldest run first: the grid takes nights and is run in parts
 */
export async function paperGrid(grid: readonly ChosenCells[], { markOf }: Pick<Cells, 'markOf'>): Promise<string> {
  const { tables } = await readPublishedStudy();
  const runs = grid.map(({ kept }) => kept);
  const measured = grid.flatMap(({ kept, chosen }) =>
    chosen.map((index) => ({ run: kept, cell: typingCells(kept.summary)[index]! })),
  );
  const parts = Map.groupBy(measured, ({ run }) => conditionsOf(run));
  const conditions = [...parts].map(([text, group]) => `- ${text}: ${countsOf(group.map(({ cell }) => cell))}`);
  const warnings = warnOfSpeeds(
    runs.map(({ summary }) => ({ name: `part of ${whenOf(summary.startedAt)}`, cells: summary.cells })),
  );
  const headings = PAPER_COLUMNS.map(({ heading }) => heading);
  const sheets = Object.entries(PAPER_SHEETS).flatMap(([mode, sheet]) => {
    const times = measured
      .filter(({ cell }) => cell.parameters.mode === mode)
      .toSorted(
        ({ cell: { parameters: a } }, { cell: { parameters: b } }) =>
          a.users - b.users || a.framework.localeCompare(b.framework),
      );
    if (times.length === 0) return [];
    const groups = [
      ...Map.groupBy(times, ({ cell }) => `${cell.parameters.framework} ${cell.parameters.users}`).values(),
    ];
    return [
      `### ${sheet}`,
      markdownTable(
        ['users', 'framework', 'whose', ...headings, 'fully functional'],
        groups.flatMap((group) => rowsOf(group, { sheet, tables, markOf })),
      ),
      reasonsOf(times.map(({ cell }) => cell)),
    ];
  });
  const marks = explainMarks(sheets.join('\n'));
  const head = `\`${runs[0]!.summary.experiment}.yaml\`, by parts:`;
  const isOfCrowd = measured.some(({ cell }) => isOfPlayedCrowd(cell));
  const beware = [...warnings, ...(isOfCrowd ? [`most users are ${CROWD_CAUTION}`] : [])].map((warning) =>
    wrap(`Beware: ${warning}.`),
  );
  return [head, conditions.join('\n'), ...beware, ...sheets, marks].filter(Boolean).join('\n\n');
}

/** Which counts of users of which frameworks. */
function countsOf(cells: readonly TypingCell[]): string {
  const groups = Map.groupBy(cells, ({ parameters: { framework, mode } }) => `\`${framework}\` \`${mode}\``);
  return [...groups]
    .map(([name, group]) => `${name} ${[...new Set(group.map(({ parameters }) => parameters.users))].join(', ')}`)
    .join('; ');
}

/** Why a cell is not valid, or not fully functional. */
function reasonsOf(cells: readonly TypingCell[]): string {
  return cells
    .flatMap(({ parameters: { framework, users }, messages }) =>
      sentencesOf(messages).map((reason) => `- \`${framework}\`, ${users} users: ${reason}`),
    )
    .join('\n');
}

interface Sheet {
  sheet: string;
  tables: readonly PublishedTable[];
  markOf: MarkOf;
}

function rowsOf(times: readonly { run: KeptRun; cell: TypingCell }[], { sheet, tables, markOf }: Sheet): string[][] {
  const { cell } = times[0]!;
  const here = times.map(({ run, cell }) => [
    ...[String(cell.parameters.users), `\`${cell.parameters.framework}\``],
    times.length === 1 ? 'here' : `here, ${whenOf(run.summary.startedAt)}`,
    ...ownFigures(cell).map((text, index) => {
      const mark = text === NOTHING ? '' : markOf(cell, PAPER_COLUMNS[index]!.name);
      return mark === null ? NOTHING : text + mark;
    }),
    cell.fullyFunctional === null && cell.verdict !== 'valid' ? cell.verdict : formatHolds(cell.fullyFunctional, cell),
  ]);
  const figures = paperFigures(cell, tables);
  if (figures === null) return here;
  return [...here, ['', '', 'paper', ...figures, carriedInPaper(cell, sheet, tables)]];
}

/** `yes` if the paper found so many users of the framework fully functional. */
function carriedInPaper(
  { parameters: { framework, users } }: TypingCell,
  sheet: string,
  tables: readonly PublishedTable[],
): string {
  const { columns, rows } = tables.find(({ name }) => name === 'Table 3')!;
  const column = columns.findIndex(({ name }) => name === sheet);
  const most = rows.find(({ here }) => here === framework)?.figures[column] ?? null;
  if (most === null) return NOTHING;
  return users <= most ? 'yes' : 'no';
}

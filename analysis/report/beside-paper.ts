/** Cells of the Collabs paper's grid: each that was measured, above the paper's own. */
import { PAPER_COLUMNS, PAPER_SHEETS } from '../../results/published/paper-sheets.ts';
import type { PublishedTable } from '../../results/published/study.ts';
import { figureNamed } from '../figures/catalogue.ts';
import { formatFigureOf, NOTHING } from '../figures/figure-text.ts';
import type { ReportData } from '../page/report-page.ts';
import type { TypingCell } from '../scenarios/cell.ts';
import { type CaptionedTable, left, right } from '../tables/table.ts';

export function ownFigures(cell: TypingCell): string[] {
  return PAPER_COLUMNS.map(({ name }) => formatFigureOf(figureNamed(name), cell));
}

/** The paper's figures of the same framework, mode and users; null if it has no such cell. */
export function paperFigures(
  { parameters: { framework, mode, users } }: Pick<TypingCell, 'parameters'>,
  tables: readonly PublishedTable[],
): string[] | null {
  const table = tables.find(({ name }) => name === `Summary sheet, ${PAPER_SHEETS[mode]}, ${users} users`);
  const row = table?.rows.find((one) => one.here === framework);
  if (table === undefined || row === undefined) return null;
  return PAPER_COLUMNS.map(({ published }) => {
    const column = table.columns.findIndex(({ name }) => name === published);
    const figure = row.figures[column] ?? null;
    return figure === null ? NOTHING : figure.toFixed(figure >= 100 ? 0 : 1);
  });
}

type Measured = Pick<ReportData, 'published'> & { cells: readonly TypingCell[] };

/** Each cell that the paper has, too; none without published numbers. */
export function besidePaper({ cells, published }: Measured): CaptionedTable | null {
  const rows = cells.flatMap((cell) => {
    const paper = published === null ? null : paperFigures(cell, published.tables);
    if (paper === null) return [];
    const { framework, mode, users } = cell.parameters;
    const of = [String(users), mode, framework];
    return [
      [...of, 'here', ...ownFigures(cell)],
      ['', '', '', 'paper', ...paper],
    ];
  });
  if (rows.length === 0) return null;
  const headings = PAPER_COLUMNS.map(({ heading }) => right(heading));
  return {
    id: 'beside-paper',
    title: `The same cells, here and published by ${published!.authors[0]} et al. ${published!.year}`,
    columns: [right('users'), left('mode'), left('framework'), left('whose'), ...headings],
    rows,
    notes: ['The paper measured on other machines and with other versions: its conditions stand above its own tables.'],
  };
}

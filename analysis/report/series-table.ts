/** The series that a server of somebody else's tells by itself, a column for each. */
import { formatAmount } from '../figures/figure-text.ts';
import { seriesFigure, seriesIn } from '../figures/server-series.ts';
import { type CaptionedTable, type ColumnOf, right, tabulate } from '../tables/table.ts';
import { cellColumns, type ReportCell, type ReportData } from './report-data.ts';

/** Has no rows where none was asked for. */
export function seriesTable({ cells, runs }: Pick<ReportData, 'cells' | 'runs'>): CaptionedTable {
  const told = cells.filter(({ figures }) => seriesIn(figures).length > 0);
  const names = [...new Set(told.flatMap(({ figures }) => seriesIn(figures)))];
  const columns: ColumnOf<ReportCell>[] = [
    ...cellColumns({ runs }),
    { ...right('users'), text: ({ parameters: { users } }) => String(users) },
    ...names.map((name): ColumnOf<ReportCell> => ({ ...right(name), text: (cell) => amountText(cell, name) })),
  ];
  return {
    ...tabulate(columns, told),
    id: 'server-series',
    title: 'What the servers tell',
    notes: [
      'Summed over labels. A gauge’s mean over the measured window; with /s, by how much a counter grew per second. The mean over valid trials; in brackets: each of several.',
    ],
  };
}

function amountText({ figures, ran }: ReportCell, series: string): string {
  const name = seriesFigure(series);
  const ofTrials = ran.flatMap((trial) => trial.figures?.[name] ?? []);
  const each = ofTrials.length > 1 ? ` (${ofTrials.map(formatAmount).join('; ')})` : '';
  return `${formatAmount(figures[name])}${each}`;
}

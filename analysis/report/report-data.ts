/** The report of people who type, and the columns that say which cell a row of its tables is of. Browser-safe. */
import type { ReportedCell } from '../page/cells-section.ts';
import type { ReportData } from '../page/report-page.ts';
import type { TypingCell } from '../scenarios/cell.ts';
import { type Column, type ColumnOf, left } from '../tables/table.ts';

export type TypingReport = ReportData<ReportCell>;

/** A cell of people who type, with its CPU profiles. */
export type ReportCell = ReportedCell & TypingCell;

/** A column for the run, where there are several. */
export function runColumn({ runs }: Pick<TypingReport, 'runs'>): Column[] {
  return runs.length > 1 ? [left('run')] : [];
}

/** Its text in the row of a cell. */
export function runText({ runs }: Pick<TypingReport, 'runs'>, run: number): string[] {
  return runs.length > 1 ? [`${runs[run]!.experiment} ${runs[run]!.startedAt}`] : [];
}

/** The columns that say which cell a row is of: its run, where there are several, framework and mode. */
export function cellColumns(data: Pick<TypingReport, 'runs'>): ColumnOf<ReportCell>[] {
  return [
    ...runColumn(data).map((column) => ({ ...column, text: ({ run }: ReportCell) => runText(data, run).join('') })),
    { ...left('framework'), text: ({ parameters }) => parameters.framework },
    { ...left('mode'), text: ({ parameters }) => parameters.mode },
  ];
}

/** Tables of reports in a terminal. */
import type { CaptionedTable, ReportTable } from '../analysis/tables/markup-table.ts';
import { alignTable } from '../results/text-table.ts';

export function formatCaptioned({ title, notes, ...table }: CaptionedTable): string {
  return [title, alignReportTable(table), notes.join('\n')].join('\n\n');
}

export function alignReportTable({ columns, rows }: ReportTable): string {
  return alignTable([columns.map(({ heading }) => heading), ...rows]);
}

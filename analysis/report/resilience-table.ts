/** How users fared when something broke that the experiment asked to break: a table for each fault. */
import type { CellSummary } from '../../results/formats/summary.ts';
import { FAULT_FIGURES } from '../resilience/fault-figures.ts';
import { type FaultRow, faultFigureText, groupByFault, lastedText, trialsText } from '../resilience/fault-text.ts';
import { MIN_TRIALS } from '../statistics/interval.ts';
import { type CaptionedTable, left, right } from '../tables/table.ts';
import type { ReportData } from './report-data.ts';

/** Empty where nothing was asked to break. */
export function resilienceTables({ cells, runs }: Pick<ReportData, 'cells' | 'runs'>): CaptionedTable[] {
  return runs.flatMap(({ experiment, startedAt }, run) => {
    const own = cells.filter((cell) => cell.run === run).map(({ summary }) => summary);
    const several = runs.length > 1;
    return faultTables(own).map((table) => ({
      ...table,
      id: table.id + (several ? `-${run + 1}` : ''),
      title: table.title + (several ? `, ${experiment} ${startedAt}` : ''),
    }));
  });
}

/** The same of one run. */
export function faultTables(cells: readonly CellSummary[]): CaptionedTable[] {
  return groupByFault(cells).map(({ fault, title, rows }) => ({
    id: `resilience-${fault + 1}`,
    title: `Resilience: ${title}`,
    columns: [
      ...['framework', 'mode'].map(left),
      ...['users', 'trials', 'lasted s', ...FAULT_FIGURES.map(({ short }) => short)].map((heading) => right(heading)),
    ],
    rows: rows.map(textsOf),
    notes: [
      `Lasted: until the end; of a restart, until the server accepts connections again. ${FAULT_FIGURES.map(({ label, what }) => `${label}: ${what}`).join('. ')}.`,
      `Means over trials; in brackets: their 95 % interval, where there are ${MIN_TRIALS} trials or more. Never: it did not come to pass within the trial.`,
    ],
  }));
}

function textsOf(row: FaultRow): string[] {
  const { summary, fault } = row;
  const { framework, mode, users } = summary;
  const figures = FAULT_FIGURES.map((figure) => (fault === null ? '' : faultFigureText(figure, fault)));
  return [framework, mode, String(users), trialsText(row), fault === null ? '' : lastedText(fault), ...figures];
}

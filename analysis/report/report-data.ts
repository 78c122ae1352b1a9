/**
 * A report as data: tables, CSV files and the page are views of the data.
 * Null is "not measured" or "too few samples", never 0. Browser-safe.
 */

import type { ScenarioName } from '../../results/formats/documents.ts';
import type { PublishedStudy } from '../../results/published/study.ts';
import type { ReportedRun } from '../page/about-section.ts';
import type { ReportedCell } from '../page/cells-section.ts';
import type { TypingCell } from '../scenarios/cell.ts';
import { type Column, type ColumnOf, left } from '../tables/table.ts';

export interface ReportData<Of extends ReportedCell = ReportCell> {
  scenario: ScenarioName;
  runs: ReportedRun[];
  /** In the order of the plans; cells of different runs are never pooled. */
  cells: Of[];
  /** Others' numbers, to be shown clearly apart; null if they were not asked for. */
  published: PublishedStudy | null;
  /**
   * Sentences on the trials that were left out, with the reason, and on all else that the run noted. Empty if every trial
   * of every plan is whole and valid, and nothing is noted.
   */
  problems: string[];
}

/** A cell of people who type, with its CPU profiles. */
export type ReportCell = ReportedCell & TypingCell;

/** A column for the run, where there are several. */
export function runColumn({ runs }: Pick<ReportData, 'runs'>): Column[] {
  return runs.length > 1 ? [left('run')] : [];
}

/** Its text in the row of a cell. */
export function runText({ runs }: Pick<ReportData, 'runs'>, run: number): string[] {
  return runs.length > 1 ? [`${runs[run]!.experiment} ${runs[run]!.startedAt}`] : [];
}

/** The columns that say which cell a row is of: its run, where there are several, framework and mode. */
export function cellColumns(data: Pick<ReportData, 'runs'>): ColumnOf<ReportCell>[] {
  return [
    ...runColumn(data).map((column) => ({ ...column, text: ({ run }: ReportCell) => runText(data, run).join('') })),
    { ...left('framework'), text: ({ parameters }) => parameters.framework },
    { ...left('mode'), text: ({ parameters }) => parameters.mode },
  ];
}

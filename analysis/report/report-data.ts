/**
 * A report as data: tables, charts, CSV files and the page are views of the data, and the page embeds them whole, but for the codes of messages.
 * Null is "not measured" or "too few samples", never 0. Browser-safe.
 */

import type { PublishedStudy } from '../../results/published/study.ts';
import type { NamedCell } from '../charts/chart-model.ts';
import type { CellTrial, TypingCell } from '../scenarios/cell.ts';
import { type Column, left } from '../tables/table.ts';

export const REPORT_SCHEMA_VERSION = 1;

export interface ReportData {
  schemaVersion: typeof REPORT_SCHEMA_VERSION;
  scenario: 'typing';
  runs: ReportRun[];
  /** In the order of the plans; cells of different runs are never pooled. */
  cells: ReportCell[];
  /** Others' numbers, to be shown clearly apart; null if they were not asked for. */
  published: PublishedStudy | null;
  /**
   * Sentences on the trials that were left out, with the reason, and on all else that the run noted. Empty if every trial
   * of every plan is whole and valid, and nothing is noted.
   */
  problems: string[];
}

export interface ReportRun {
  /** From the report's folder to the run's, with `/`; `.` where the report lies in it. */
  directory: string;
  experiment: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  environment: Record<string, unknown>;
  /** The experiment as resolved, every default filled in. */
  plan: Record<string, unknown>;
  plannedTrials: number;
  finishedTrials: number;
  validTrials: number;
}

export interface ReportCell extends TypingCell {
  /** Index into `runs`. */
  run: number;
  ran: ReportTrial[];
}

export interface ReportTrial extends CellTrial {
  /** From the report's folder to files that Chrome DevTools opens, with `/`. */
  cpuProfiles: string[];
}

/** A cell as the page shows it: with its line's name and style. */
export type NamedReportCell = NamedCell<ReportCell>;

/** A column for the run, where there are several. */
export function runColumn({ runs }: Pick<ReportData, 'runs'>): Column[] {
  return runs.length > 1 ? [left('run')] : [];
}

/** Its text in the row of a cell. */
export function runText({ runs }: Pick<ReportData, 'runs'>, run: number): string[] {
  return runs.length > 1 ? [`${runs[run]!.experiment} ${runs[run]!.startedAt}`] : [];
}

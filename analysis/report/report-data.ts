/**
 * What a report says, as data: tables, charts, CSV files and the page are views of it, and the page embeds it whole.
 * Null is "not measured" or "too few samples", never 0. Types only, so a browser may import them.
 */

import type { CellSummary } from '../../results/formats/summary.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import type { PublishedStudy } from '../../results/published/study.ts';
import type { HeadlineFigureName } from '../headline-figures.ts';
import type { SeriesPoint } from '../series-point.ts';

export const REPORT_SCHEMA_VERSION = 1;

export interface ReportData {
  schemaVersion: typeof REPORT_SCHEMA_VERSION;
  runs: ReportRun[];
  /** In the order of the plans; cells of different runs are never pooled. */
  cells: ReportCell[];
  /** Others' numbers, to be shown clearly apart; null where they were not asked for. */
  published: PublishedStudy | null;
  /**
   * What was left out, and why, and what else the run noted of its trials: one sentence each. Empty where every trial of
   * every plan is whole and valid, and nothing is noted.
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

export interface ReportCell {
  /** Index into `runs`. */
  run: number;
  /** `<framework>-<mode>-<users>`, as in the plan; unique in its run. */
  name: string;
  summary: CellSummary;
  trials: ReportTrial[];
  /** Over time, pooled over the valid trials; empty where there is none. */
  series: SeriesPoint[];
}

export interface ReportTrial {
  /** From 1. */
  trial: number;
  verdict: Verdict['verdict'];
  reasons: string[];
  notes: string[];
  /** The trial's own headline figures, which the intervals are made of; null for a trial that is not valid. */
  figures: Record<HeadlineFigureName, number | null> | null;
  /** From the report's folder to files that Chrome DevTools opens, with `/`. */
  cpuProfiles: string[];
}

/**
 * What a report says, as data: tables, charts, CSV files and the page are views of it, and the page embeds it whole.
 * Null is "not measured" or "too few samples", never 0. Types only, so a browser may import them.
 */
import type { PublishedStudy } from '../../results/published/study.ts';
import type { Phase } from '../../results/records.ts';
import type { CellSummary } from '../../results/summary.ts';
import type { Verdict } from '../../results/verdict.ts';
import type { HeadlineFigureName } from '../headline-figures.ts';

export const REPORT_SCHEMA_VERSION = 1;

/** How long a bucket of a series is, in seconds. Each user sends one sigil in that time. */
export const BUCKET_S = 10;

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

export interface SeriesLatency {
  p50: number | null;
  p95: number | null;
  samples: number;
}

/** One bucket of time. A latency belongs to the bucket in which its sigil was sent. */
export interface SeriesPoint {
  /** Seconds from the start of typing to the start of the bucket. */
  fromS: number;
  /** `warm-up`, `measure` or `profile`: the phase in the middle of the bucket, in the first valid trial. */
  phase: Phase;
  /** Edits performed, of those that fell due. */
  throughputPercent: number | null;
  localLatencyMs: SeriesLatency;
  endToEndLatencyMs: SeriesLatency;
  /** Percent of one core. */
  serverCpuPercent: number | null;
  serverMemoryMiB: number | null;
  /** Percent of one core, per user. */
  userCpuPercent: number | null;
  userMemoryMiB: number | null;
  /** All cores together, 100 = every core busy. */
  machineCpuPercent: number | null;
  documentCharacters: number | null;
  /** Of a user's time, how much the page's main thread spent in tasks of 50 ms or longer; null outside Chrome. */
  longTaskPercent: number | null;
}

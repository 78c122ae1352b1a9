/** A series over time: how long its buckets are, and what one of them holds. Browser-safe. */
import type { Phase } from '../results/formats/records.ts';

/** How long a bucket of a series is, in seconds. Each user sends one sigil in that time. */
export const BUCKET_S = 10;

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

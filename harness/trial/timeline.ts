/** When the phases of a trial begin in which users type. */
import { MAX_MEDIAN_END_TO_END_LATENCY_MS } from '../../analysis/figures/criterion.ts';
import type { Experiment } from '../experiment/experiment.ts';

/** As it is announced to the users; instants of the coordinator's clock. */
export interface Timeline {
  warmUpMs: number;
  measureMs: number;
  profileMs: number;
  /** When profilers begin: some time into the phase, so that what was sent in the measured window arrives without them. */
  profilersMs: number;
  endMs: number;
}

/** The profilers leave so much of their phase to what is still on its way, at most: half of a short one is theirs. */
const GREATEST_GAP_SHARE = 0.5;

export function timelineFrom(warmUpMs: number, durations: Experiment['durations']): Timeline {
  const measureMs = warmUpMs + durations.warmUpMs;
  const profileMs = measureMs + durations.measureMs;
  const gapMs = Math.min(MAX_MEDIAN_END_TO_END_LATENCY_MS, GREATEST_GAP_SHARE * durations.profileMs);
  return { warmUpMs, measureMs, profileMs, profilersMs: profileMs + gapMs, endMs: profileMs + durations.profileMs };
}

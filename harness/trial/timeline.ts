/** The time of a trial: when the phases begin in which users type, and how long each other step may take. */
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

/** How long the steps may take in which nobody types, ms; typing itself lasts as long as the experiment says. */
export const STEP_LIMITS_MS = {
  /** Until the fleet has started a process, and until the server listens. */
  serve: 15_000,
  admit: 30_000,
  /** Each further user makes the others' start slower, on a machine that they share. */
  admitPerUser: 2000,
  ready: 30_000,
  /** Of what the document begins with: until it is in there, and everyone has it. */
  readyPerCharacter: 2,
  collect: 60_000,
  prove: 120_000,
} as const;

/** The state of a run while it runs, as the status page gets it. Types only, so a browser may import them. */
import type { Colours } from '../../analysis/charts/palette.ts';
import type { Phase } from '../../results/formats/records.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { SeriesPoint } from '../../results/formats/summary.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import type { LiveFigures } from './live-monitor.ts';

export interface RunStatus {
  experiment: string;
  directory: string;
  trials: { cell: string; trial: number; verdict: Verdict['verdict'] | null; reasons: string[] }[];
  /** The trial that runs now; null before the first and after the last. */
  current: {
    planned: PlannedTrial;
    index: number;
    phase: Phase;
    phaseEndsAtMs: number | null;
    figures: LiveFigures;
  } | null;
  /** The run has ended, in whatever way. */
  ended: boolean;
  /** The latest trial, and how it develops. It stays when that trial ends, until the next one begins; null before the first. */
  latest: { planned: PlannedTrial; series: SeriesPoint[] } | null;
  /** Colours of the frameworks that have their own. */
  colours: Colours;
  /** Absolute path of the run's report, once it has ended; null: there is none, as of a run against another version. */
  reportPath: string | null;
}

/**
 * Calibration: what the harness measures where the answer is known. Loopback costs next to nothing, so the end-to-end
 * latency between its writer and a watcher is the delay put between them, a frame of the watcher's screen, and the error.
 */
import { join } from 'node:path';
import type { Summary } from '../results/formats/summary.ts';
import type { Experiment } from './experiment/experiment.ts';
import { resolveExperiment } from './experiment/experiment-file.ts';
import { discoverFrameworks } from './frameworks/discover.ts';
import { alignTable } from './text-table.ts';

/** One way between two users: none, and those of the paper's farthest pairs and beyond. */
const INJECTED_DELAYS_MS = [0, 60, 170];
/** One frame at 60 per second, until which a change waits to be seen, and what the machine may add. */
const FRAME_MS = 1000 / 60;
const ALLOWANCE_MS = 3;

export interface Calibration {
  injectedMs: number;
  /** Null where the trial was not valid. */
  measuredP50Ms: number | null;
  samples: number;
  clockErrorMs: number | null;
  reasons: string[];
}

/**
 * @param run       runs one experiment and gives its summary
 * @param directory where the results go, one folder a delay
 */
export async function calibrate(
  run: (options: { experiment: Experiment; directory: string }) => Promise<Summary>,
  directory: string,
): Promise<Calibration[]> {
  const calibrations: Calibration[] = [];
  for (const injectedMs of INJECTED_DELAYS_MS) {
    const summary = await run({
      experiment: await calibrationExperiment(injectedMs),
      directory: join(directory, `${injectedMs}ms`),
    });
    const cell = summary.cells[0]!;
    calibrations.push({
      injectedMs,
      measuredP50Ms: cell.endToEndLatencyMs.p50,
      samples: cell.endToEndLatencyMs.samples,
      clockErrorMs: cell.clockErrorMs,
      reasons: cell.validTrials === 0 ? cell.reasons : [],
    });
  }
  return calibrations;
}

/** Whether the median lies between the injected delay and that plus one frame and the allowance. */
export function isWithinBound({ injectedMs, measuredP50Ms, clockErrorMs }: Calibration): boolean {
  if (measuredP50Ms === null) return false;
  const excessMs = measuredP50Ms - injectedMs;
  return excessMs >= -(clockErrorMs ?? 0) && excessMs <= FRAME_MS + ALLOWANCE_MS;
}

export function formatCalibrations(calibrations: readonly Calibration[]): string {
  const rows = calibrations.map((calibration) => {
    const { injectedMs, measuredP50Ms, samples, clockErrorMs } = calibration;
    return [
      `${injectedMs} ms`,
      measuredP50Ms === null ? '–' : `${measuredP50Ms.toFixed(1)} ms`,
      measuredP50Ms === null ? '–' : `${(measuredP50Ms - injectedMs).toFixed(1)} ms`,
      String(samples),
      clockErrorMs === null ? '–' : `± ${clockErrorMs.toFixed(2)} ms`,
      isWithinBound(calibration) ? '✓' : '✗',
    ];
  });
  const table = alignTable([['injected', 'measured, median', 'excess', 'samples', 'clocks', 'within bound'], ...rows]);
  const reasons = calibrations.flatMap(({ injectedMs, reasons }) => reasons.map((each) => `${injectedMs} ms: ${each}`));
  const bound = `Bound: one frame (${FRAME_MS.toFixed(1)} ms) and ${ALLOWANCE_MS} ms above what was injected.`;
  return [table, '', ...reasons, bound].join('\n');
}

/** Two users, one of whom types; a sigil a second; no batching; half of the delay on each user's way to the server. */
async function calibrationExperiment(injectedMs: number): Promise<Experiment> {
  const experiment = {
    name: `calibration-${injectedMs}ms`,
    frameworks: ['loopback'],
    modes: ['optquill'],
    users: [2],
    writers: 1,
    trials: 1,
    durations: { warmUp: '3s', measure: '30s', profile: '0s', settle: '10s' },
    typing: { keysPerSecond: 10, sigilPeriod: '1s', formatOdds: { inline: 0, range: 0, block: 0 } },
    batching: { receive: '0ms', sendFromUsers: 'never' },
    network: { oneWayDelay: `${injectedMs / 2}ms` },
  };
  return resolveExperiment(experiment, { frameworks: await discoverFrameworks() });
}

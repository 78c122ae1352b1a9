/**
 * Calibration: what the harness measures where the answer is known. A framework made for it does what it is told wrong and
 * nothing else, in ordinary trials, and each figure is set beside what was injected.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentNameOf } from '../../editors/calibration/defects.ts';
import type { CellSummary, Summary } from '../../results/formats/summary.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { resolveExperiment } from '../experiment/experiment-file.ts';
import { discoverAll } from '../frameworks/discover.ts';
import {
  INJECTIONS,
  type Injection,
  type InjectionName,
  KEYS_PER_SECOND,
  MEASURE_MS,
  USERS,
  WARM_UP_MS,
} from './injections.ts';
import { type CalibrationRow, type MeasuredCells, rowsOf } from './rows.ts';

/** The shortest that leaves half of the keys to the trace. */
const SIGIL_PERIOD = '1700ms';
const MODES = ['optquill', 'noquill'];
const QUICK_TRIALS = 1;
const FULL_TRIALS = 3;

/**
 * @param run       runs one experiment and gives its summary
 * @param options.directory where the results go, one folder an injection, and the table as calibration.json
 * @param options.full      three trials of each instead of one
 */
export async function calibrate(
  run: (options: { experiment: Experiment; directory: string }) => Promise<Summary>,
  { directory, full }: { directory: string; full: boolean },
): Promise<CalibrationRow[]> {
  const cells = new Map<string, CellSummary>();
  for (const [name, injection] of Object.entries(INJECTIONS)) {
    const experiment = await experimentOf(name, injection, full ? FULL_TRIALS : QUICK_TRIALS);
    const summary = await run({ experiment, directory: join(directory, name) });
    for (const cell of summary.cells) cells.set(`${name} ${cell.mode}`, cell);
  }
  const names = Object.keys(INJECTIONS) as InjectionName[];
  const rows = MODES.flatMap((mode) =>
    rowsOf(mode, Object.fromEntries(names.map((name) => [name, cells.get(`${name} ${mode}`)!])) as MeasuredCells),
  );
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'calibration.json'), `${JSON.stringify({ full, rows }, null, 2)}\n`);
  return rows;
}

/** Many sigils, no formats and no batching, so that a change is a message; half of the delay on each user's way. */
export async function experimentOf(name: string, { defects, delayMs }: Injection, trials: number): Promise<Experiment> {
  const experiment = {
    name: `calibration-${name}`,
    frameworks: ['calibration'],
    modes: MODES,
    users: [USERS],
    trials,
    documents: [documentNameOf(defects)],
    durations: { warmUp: `${WARM_UP_MS}ms`, measure: `${MEASURE_MS}ms`, profile: '0s', settle: '10s' },
    typing: {
      keysPerSecond: KEYS_PER_SECOND,
      sigilPeriod: SIGIL_PERIOD,
      formatOdds: { inline: 0, range: 0, block: 0 },
    },
    batching: { receive: '0ms', sendFromUsers: 'never' },
    network: { oneWayDelay: `${delayMs / 2}ms` },
  };
  return resolveExperiment(experiment, { frameworks: await discoverAll() });
}

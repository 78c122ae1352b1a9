/**
 * Calibration: what the harness measures where the answer is known. A framework made for it does what it is told wrong and
 * nothing else, in ordinary trials, and each figure is set beside what was injected.
 */
import { join } from 'node:path';
import { KEPT_CALIBRATION } from '../../analysis/cell/cells.ts';
import { openRun } from '../../analysis/cell/query.ts';
import { onlyKnown } from '../../analysis/statistics/quantile.ts';
import { documentNameOf } from '../../editors/calibration/defects.ts';
import { admitAll } from '../../frameworks/admit.ts';
import { discoverAll } from '../../frameworks/discover.ts';
import { byName, usable } from '../../frameworks/framework.ts';
import { runTool } from '../../infra/process/child.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { CALIBRATION_FILE, type Calibration } from '../../results/formats/calibration.ts';
import type { CellSummary, Summary } from '../../results/formats/summary.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { resolveExperiment, type TypingExperiment } from '../experiment/experiment-file.ts';
import type { Environment } from '../machine/environment.ts';
import {
  INJECTIONS,
  type Injection,
  type InjectionName,
  KEYS_PER_SECOND,
  MEASURE_MS,
  MODES,
  modesOf,
  SETTLE_MS,
  sigilPeriodMs,
  USERS,
  WARM_UP_MS,
} from './injections.ts';
import { type MeasuredCells, rowsOf } from './rows.ts';

const QUICK_TRIALS = 1;
const FULL_TRIALS = 3;

/** The sigils of an experiment that showed, over all of a mode's trials: failed trials have no figures in a summary. */
type SigilShares = Partial<CellSummary> & Pick<CellSummary, 'mode'>;

/**
 * @param run       runs one experiment and gives its summary
 * @param options.directory folder for the results: one folder an injection, and the table as calibration.json
 * @param options.full      three trials of each instead of one
 * @param options.sigilShares a part that tests replace
 */
export async function calibrate(
  run: (loaded: TypingExperiment, directory: string) => Promise<Summary>,
  options: { directory: string; full: boolean; sigilShares?: (directory: string) => Promise<SigilShares[]> },
): Promise<Calibration> {
  const { directory, full, sigilShares = readSigilShares } = options;
  const cells = Object.fromEntries(MODES.map((mode) => [mode, {} as MeasuredCells]));
  const summaries: Summary[] = [];
  for (const name of Object.keys(INJECTIONS) as InjectionName[]) {
    const modes = modesOf(name, { full });
    const loaded = await experimentOf(name, { modes, trials: full ? FULL_TRIALS : QUICK_TRIALS });
    const runDirectory = join(directory, name);
    const summary = await run(loaded, runDirectory);
    const shares = name === FAILING ? await sigilShares(runDirectory) : [];
    for (const cell of summary.cells) {
      cells[cell.mode]![name] = { ...cell, ...shares.find(({ mode }) => mode === cell.mode) };
    }
    summaries.push(summary);
  }
  const rows = MODES.flatMap((mode) => rowsOf(mode, cells[mode]!, { full }));
  const calibration = {
    schemaVersion: 1,
    startedAt: summaries[0]!.startedAt,
    full,
    ...whereMade(summaries),
    rows,
  } as const;
  await writeJson(join(directory, CALIBRATION_FILE), calibration);
  return calibration;
}

/**
 * Makes it the project's own calibration, by which figures that missed a bound are marked: tables and charts from now on,
 * and the documents, which are written anew.
 */
export async function keepCalibration(calibration: Calibration): Promise<void> {
  await writeJson(KEPT_CALIBRATION, calibration);
  await runTool(['npm', 'run', '--silent', 'docs'], { folder: PROJECT_ROOT, inTerminal: true });
}

/** The injection whose trials fail, as they should. */
const FAILING: InjectionName = 'lost';

async function readSigilShares(directory: string): Promise<SigilShares[]> {
  await using run = await openRun(directory);
  return await run.database.rows<SigilShares>(`
    SELECT
      mode,
      100 * sum(arrived) / nullif(sum(expected), 0) AS sigilsArrivedPercent,
      100 * sum(soon) / nullif(sum(expectedSoon), 0) AS seenInTimePercent
    FROM trial_figures JOIN trials USING (trial)
    GROUP BY mode`);
}

function whereMade(summaries: readonly Summary[]): Pick<Calibration, 'machine'> {
  const { cpu, cores, chrome } = summaries[0]!.environment as Partial<Environment>;
  const busy = onlyKnown(summaries.flatMap(({ cells }) => cells.map(({ machineCpuPercent }) => machineCpuPercent)));
  const [calmestPercent, busiestPercent] = busy.length === 0 ? [null, null] : [Math.min(...busy), Math.max(...busy)];
  return {
    machine: { cpu: cpu ?? 'unknown', cores: cores ?? 0, chrome: chrome ?? null, busiestPercent, calmestPercent },
  };
}

/** With the framework that is made for it; many sigils, hardly any formats and no batching, so that a change is a message; half of the delay on each user's way. */
export async function experimentOf(
  name: InjectionName,
  { modes, trials }: { modes: readonly string[]; trials: number },
): Promise<TypingExperiment> {
  const instruments = (await discoverAll()).filter(({ about }) => about.instrument);
  const names = instruments.map(({ name }) => name);
  const {
    defects,
    delayMs,
    keysPerSecond = KEYS_PER_SECOND,
    rhythm,
    settleMs = SETTLE_MS,
    changesSigils = false,
  }: Injection = INJECTIONS[name];
  const written = {
    name: `calibration-${name}`,
    frameworks: names,
    modes,
    users: [USERS],
    trials,
    documents: [documentNameOf(defects)],
    durations: { warmUp: `${WARM_UP_MS}ms`, measure: `${MEASURE_MS}ms`, profile: '0s', settle: `${settleMs}ms` },
    typing: {
      keysPerSecond,
      ...(rhythm && { rhythm }),
      sigilPeriod: `${sigilPeriodMs(keysPerSecond)}ms`,
      changeSigils: changesSigils,
      // Users who never format do not format sigils either; odds this small draw no range.
      formatOdds: { inline: 0, range: changesSigils ? 1e-9 : 0, block: 0 },
    },
    batching: { receive: '0ms', sendFromUsers: 'never' },
    network: { oneWayDelay: `${delayMs / 2}ms` },
  };
  const admitted = await admitAll(names, { from: PROJECT_ROOT, say: (text) => console.error(text) });
  const frameworks = admitted.map(usable);
  return { scenario: 'typing', experiment: resolveExperiment(written, { frameworks }), frameworks: byName(frameworks) };
}

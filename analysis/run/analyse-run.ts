/** From the files of a run to what they say, cell by cell. Reads files only, and writes none. */
import { join, resolve } from 'node:path';
import { modeWithPresence, type PlanFile, type PlannedTrial } from '../../results/formats/run-directory.ts';
import { clockErrorLimitOf, fingerprintOf, readEnvironment, readPlan } from '../../results/run-folder/run-files.ts';
import { lastCalibration, withMissedBounds } from '../cell/calibration.ts';
import type { AnalysedCell } from '../cell/cell.ts';
import { type JudgedTrial, ownFiguresOf, summarizeCell } from '../cell/cells.ts';
import { ranCells } from '../cell/collect-cell.ts';
import { judgeTrial } from '../cell/judged-trial.ts';
import { type Tier, tierIn } from '../cell/tiers.ts';
import { remembered } from '../remembered.ts';
import { poolBuckets } from '../trial/trial-series.ts';

export interface AnalysedRun {
  /** As it was given. */
  directory: string;
  plan: PlanFile;
  environment: Record<string, unknown>;
  /** Those of which at least one trial has run, in the order of the plan. */
  cells: AnalysedCell[];
}

/**
 * Analyses every trial that has run. A trial whose files cannot be read is `unknown`, with the reason; the others stand.
 *
 * A cell whose files are as they were the last time is not read again.
 * @param runDirectory the folder that holds `plan.json` and `trials/`
 * @throws UserError (exit code 2) where plan or environment cannot be read
 */
export async function analyseRun(runDirectory: string): Promise<AnalysedRun> {
  const plan = await readPlan(runDirectory);
  const environment = await readEnvironment(runDirectory);
  const cells: AnalysedCell[] = [];
  for (const { name, trials } of ranCells(runDirectory, plan.trials)) {
    const tier = tierIn(environment, trials[0].framework);
    cells.push(await analyseOnce(runDirectory, { name, tier, trials }, clockErrorLimitOf(plan)));
  }
  return { directory: runDirectory, plan, environment, cells };
}

interface PlannedCell {
  name: string;
  tier: Tier;
  /** Those that have run; at least one. */
  trials: readonly PlannedTrial[];
}

/** A run is analysed anew after each of its trials, which changes one cell; the others are remembered. */
async function analyseOnce(
  runDirectory: string,
  cell: PlannedCell,
  clockErrorLimitMs: number | null,
): Promise<AnalysedCell> {
  const { name, tier, trials } = cell;
  const key = join(resolve(runDirectory), name);
  const states = await Promise.all(trials.map(({ directory }) => fingerprintOf(join(runDirectory, directory))));
  const fingerprint = JSON.stringify([tier, trials, clockErrorLimitMs, states]);
  const known = remembered.cells.get(key);
  if (known?.fingerprint === fingerprint) return known.cell;
  const analysed = await analyseCell(runDirectory, cell, clockErrorLimitMs);
  remembered.cells.set(key, { fingerprint, cell: analysed });
  return analysed;
}

async function analyseCell(
  runDirectory: string,
  { name, tier, trials: planned }: PlannedCell,
  clockErrorLimitMs: number | null,
): Promise<AnalysedCell> {
  const judged: JudgedTrial[] = [];
  // One after the other: a large trial takes hundreds of MiB while it is read.
  for (const trial of planned)
    judged.push(await judgeTrial(trial, join(runDirectory, trial.directory), clockErrorLimitMs));
  const [first] = planned as [PlannedTrial, ...PlannedTrial[]];
  const { framework, users } = first;
  const mode = modeWithPresence(first);
  return {
    name,
    parameters: { framework, mode, users },
    summary: withMissedBounds(summarizeCell({ framework, tier, mode, users }, judged), lastCalibration()),
    trials: judged.map(({ figures, ...trial }, index) => ({
      ...trial,
      directory: planned[index]!.directory,
      figures: figures && ownFiguresOf(figures),
    })),
    series: poolBuckets(judged.flatMap(({ figures }) => (figures === null ? [] : [figures.buckets]))),
  };
}

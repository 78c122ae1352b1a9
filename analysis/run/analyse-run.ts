/** From the files of a run to what they say, cell by cell. */

import { join } from 'node:path';
import { modeWithPresence, type PlanFile, type PlannedTrial } from '../../results/formats/run-directory.ts';
import { SUMMARY_SCHEMA_VERSION, type Summary } from '../../results/formats/summary.ts';
import { readEnvironment, readPlan } from '../../results/run-folder/run-files.ts';
import { lastCalibration, withMissedBounds } from '../cell/calibration.ts';
import { type AnalysedCell, tierIn } from '../cell/cell.ts';
import { ownFiguresOf, summarizeCell } from '../cell/cells.ts';
import { type JudgedTrial, judgeTrial, ranCells } from '../cell/collect-cell.ts';
import { scalingLaws } from '../cell/scaling.ts';
import { poolBuckets } from '../figures/pooling.ts';

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
 * @param runDirectory the folder that holds `plan.json` and `trials/`
 * @param options.keeps true: each trial's `figures.json` is brought up to date; else nothing is written
 * @throws UserError (exit code 2) where plan or environment cannot be read
 */
export async function analyseRun(
  runDirectory: string,
  { keeps = false }: { keeps?: boolean } = {},
): Promise<AnalysedRun> {
  const plan = await readPlan(runDirectory);
  const environment = await readEnvironment(runDirectory);
  const cells: AnalysedCell[] = [];
  for (const { name, trials } of ranCells(runDirectory, plan.trials)) {
    const judged: JudgedTrial[] = [];
    // One after the other: a large trial that must be analysed takes hundreds of MiB while it is read.
    for (const trial of trials) judged.push(await judgeTrial(trial, join(runDirectory, trial.directory), { keeps }));
    cells.push(analyseCell({ name, trials, environment }, judged));
  }
  return { directory: runDirectory, plan, environment, cells };
}

function analyseCell(
  cell: { name: string; trials: [PlannedTrial, ...PlannedTrial[]]; environment: AnalysedRun['environment'] },
  judged: readonly JudgedTrial[],
): AnalysedCell {
  const { name, trials: planned, environment } = cell;
  const [first] = planned;
  const parameters = { framework: first.framework, mode: modeWithPresence(first), users: first.users };
  const summary = summarizeCell({ ...parameters, tier: tierIn(environment, first.framework) }, judged);
  return {
    name,
    parameters,
    summary: withMissedBounds(summary, lastCalibration()),
    trials: judged.map(({ figures, ...trial }, index) => ({
      ...trial,
      directory: planned[index]!.directory,
      figures: figures && ownFiguresOf(figures),
    })),
    series: poolBuckets(judged.flatMap(({ figures }) => (figures === null ? [] : [figures.buckets]))),
  };
}

export function summaryOf({ plan, environment, cells }: AnalysedRun): Summary {
  return {
    schemaVersion: SUMMARY_SCHEMA_VERSION,
    experiment: plan.experiment.name,
    startedAt: plan.startedAt,
    environment,
    cells: cells.map(({ summary }) => summary),
    scaling: scalingLaws(cells),
  };
}

/** From the files of a run to what they say, cell by cell. */

import { modeWithPresence, type PlanFile, type PlannedTrial } from '../../results/formats/run-directory.ts';
import { SUMMARY_SCHEMA_VERSION, type Summary } from '../../results/formats/summary.ts';
import { readEnvironment, readPlan } from '../../results/run-folder/run-files.ts';
import { type AnalysedCell, tierIn } from '../cell/cell.ts';
import { lastCalibration, ownFiguresOf, summarizeCell, withMissedBounds } from '../cell/cells.ts';
import { cellTrials, type JudgedCell, judgeCells } from '../cell/collect-cell.ts';
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
  for await (const cell of judgeCells(runDirectory, plan.trials, { keeps })) cells.push(analyseCell(cell, environment));
  return { directory: runDirectory, plan, environment, cells };
}

function analyseCell(cell: JudgedCell<PlannedTrial>, environment: AnalysedRun['environment']): AnalysedCell {
  const { name, planned, judged } = cell;
  const [first] = planned;
  const parameters = { framework: first.framework, mode: modeWithPresence(first), users: first.users };
  const summary = summarizeCell({ ...parameters, tier: tierIn(environment, first.framework) }, judged);
  return {
    name,
    parameters,
    summary: withMissedBounds(summary, lastCalibration()),
    trials: cellTrials(cell, ownFiguresOf),
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

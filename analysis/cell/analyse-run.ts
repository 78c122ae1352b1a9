/** From the files of a run to its cells. */

import type { DocumentSummary } from '../../results/formats/documents.ts';
import {
  type AnySummary,
  type DocumentPlanFile,
  type DocumentTrial,
  type PlanFile,
  type PlannedTrial,
  parametersOf,
} from '../../results/formats/run-directory.ts';
import { SUMMARY_SCHEMA_VERSION, type Summary } from '../../results/formats/summary.ts';
import { readAnyPlan, readEnvironment, scenarioOf } from '../../results/run-folder/run-files.ts';
import { poolBuckets } from '../figures/pooling.ts';
import { seriesFigures } from '../figures/server-series.ts';
import { SCENARIOS } from '../scenarios/catalogue.ts';
import { type Cell, type MeasuredRun, tierIn, typingCells } from '../scenarios/cell.ts';
import { backingCosts } from './backing-costs.ts';
import { cellJson } from './cell-json.ts';
import { lastCalibration, summarizeCell, withMissedBounds } from './cells.ts';
import { type JudgedCell, judgeCells, poolFigures } from './collect-cell.ts';
import { scalingLaws } from './growth.ts';
import { readerCosts } from './reader-costs.ts';

/** A run with its plan, and its cells with their trials: those of which at least one has run, in the order of the plan. */
export interface AnalysedRun extends MeasuredRun {
  /** As it was given. */
  directory: string;
  plan: PlanFile | DocumentPlanFile;
}

/**
 * Analyses every trial that has run. A trial whose files cannot be read is `unknown`, with the reason; the others stand.
 *
 * @param directory the folder that holds `plan.json` and `trials/`
 * @param options.keeps true: each trial's `figures.json` is brought up to date; else nothing is written
 * @throws UserError (exit code 2) where plan or environment cannot be read
 */
export async function analyseRun(directory: string, { keeps = false }: { keeps?: boolean } = {}): Promise<AnalysedRun> {
  const scenario = await scenarioOf(directory);
  const plan = await readAnyPlan(directory);
  const environment = await readEnvironment(directory);
  const judged = judgeCells(directory, plan.trials, { keeps });
  const cells = await Array.fromAsync(judged, (cell) => analyseCell(cell, { scenario, environment }));
  const { experiment, startedAt } = plan;
  return { directory, plan, scenario, experiment: experiment.name, startedAt, environment, cells };
}

function analyseCell(
  { name, planned, judged }: JudgedCell,
  { scenario, environment }: Pick<MeasuredRun, 'scenario' | 'environment'>,
): Cell {
  const { isTyping, ofTrials, roundOfTrial } = SCENARIOS[scenario];
  const parameters = parametersOf(planned[0] as PlannedTrial | DocumentTrial);
  const tier = isTyping ? tierIn(environment, String(parameters.framework)) : 'unknown';
  const cell = summarizeCell({ scenario, name, parameters, tier }, judged);
  return {
    ...(isTyping ? withMissedBounds(cell, lastCalibration()) : cell),
    ran: judged.map(({ figures, ...trial }, index) => ({
      ...trial,
      directory: planned[index]!.directory,
      figures: figures && poolFigures([figures], [...ofTrials, ...seriesFigures([figures])], roundOfTrial),
    })),
    series: poolBuckets(judged.flatMap(({ figures }) => (figures === null ? [] : [figures.buckets]))),
  };
}

/** `summary.json`. */
export function summaryOf(run: MeasuredRun): AnySummary {
  const { experiment, scenario, startedAt, environment } = run;
  const cells = run.cells.map((cell) => cellJson(cell, scenario));
  if (scenario === 'typing') {
    const written = cells as Summary['cells'];
    const scaling = scalingLaws(typingCells(run));
    const costs = readerCosts(typingCells(run));
    const backing = backingCosts(typingCells(run));
    return {
      ...{ schemaVersion: SUMMARY_SCHEMA_VERSION, experiment, startedAt, environment, cells: written, scaling },
      readerCosts: costs.length === 0 ? undefined : costs,
      backingCosts: backing.length === 0 ? undefined : backing,
    };
  }
  return { schemaVersion: 1, experiment, scenario, startedAt, environment, cells: cells as DocumentSummary['cells'] };
}

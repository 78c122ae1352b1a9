/** Runs an experiment in which people type: its plan, or its plan in two versions by turns. */
import { HALVES, type PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Summary } from '../../results/formats/summary.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { makePlan } from '../experiment/plan.ts';
import { openHalves } from './halves.ts';
import { inTurns, runTrials } from './run-trials.ts';
import { openTypingPart, type RunOptions, type RunSettings } from './typing-part.ts';

/** The trials of an experiment as observers will hear of them, in the order in which they run. */
export function shownPlan(experiment: Experiment): PlannedTrial[] {
  const parts = experiment.base === null ? [{}] : Object.values(HALVES).map((name) => ({ name }));
  return inTurns(makePlan(experiment), parts).map(({ shown }) => shown);
}

/**
 * @returns the summary of all finished trials; of a run against another version, that of the new one
 * @throws UserError if nothing can be run, the signal's reason if the run was interrupted; finished trials are kept
 */
export async function runExperiment(options: RunOptions, settings: RunSettings = {}): Promise<Summary> {
  const { experiment, directory, observer, signal } = options;
  const planned = { ...options, plan: options.plan ?? makePlan(experiment), grows: options.plan !== undefined };
  const parts =
    experiment.base === null
      ? [await openTypingPart(planned, settings)]
      : await openHalves({ ...planned, base: experiment.base }, settings);
  const summaries = await runTrials({ directory, plan: planned.plan, parts, observer, signal });
  return summaries.at(-1)!;
}

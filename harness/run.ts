/** Runs an experiment: its plan, trial after trial, with summary and report brought up to date after each. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeReport } from '../analysis/report/report.ts';
import { clearUpAfter } from '../infra/process/clear-up.ts';
import type { PlannedTrial } from '../results/formats/run-directory.ts';
import type { Summary } from '../results/formats/summary.ts';
import type { Verdict } from '../results/formats/verdict.ts';
import { type AskForDocument, assignDocuments } from './experiment/documents.ts';
import type { Experiment } from './experiment/experiment.ts';
import { makePlan } from './experiment/plan.ts';
import { loadFleet } from './fleets/load.ts';
import { discoverFrameworks } from './frameworks/discover.ts';
import { openRunFolder } from './run-folder.ts';
import type { Runner, RunnerOptions } from './runner.ts';
import type { TrialObserver } from './trial/trial.ts';

export interface RunObserver extends TrialObserver {
  /** Something that a person should know; a whole sentence or line. */
  onNotice(text: string): void;
  onTrial(planned: PlannedTrial, index: number, plan: readonly PlannedTrial[]): void;
  onVerdict(planned: PlannedTrial, verdict: Verdict): void;
}

export interface RunOptions {
  experiment: Experiment;
  /** Where the results go. */
  directory: string;
  /** Go on with the run that lies in `directory`; what has a verdict is not run again. */
  resume: boolean;
  /** Open real windows to watch. */
  show: boolean;
  observer: RunObserver;
  signal: AbortSignal;
  /** Absent where no person can be asked. */
  askForDocument?: AskForDocument | null;
}

/**
 * @param settings.open what tests replace
 * @returns the summary of all finished trials
 * @throws UserError where nothing can be run, the signal's reason where the run was interrupted; finished trials are kept
 */
export async function runExperiment(
  options: RunOptions,
  settings: { open?: (options: RunnerOptions) => Promise<Runner> } = {},
): Promise<Summary> {
  const { experiment, directory, show, observer, signal } = options;
  const { open = (await loadFleet(experiment.fleet.on)).open } = settings;
  const plan = makePlan(experiment);
  // Looked at before anything starts anywhere.
  const folder = await openRunFolder({ directory, experiment, plan, resume: options.resume });
  if (folder.toRun.length === 0) {
    observer.onNotice(`All trials of the run in ${directory} are finished; there is nothing to resume`);
    return report(directory);
  }
  const documents = assignDocuments({
    plan,
    toRun: folder.toRun,
    begun: folder.begun,
    documents: experiment.documents,
    frameworks: await discoverFrameworks(),
    ask: options.askForDocument ?? null,
  });
  const runner = await open({ experiment, plan, show, observer, signal });
  try {
    await folder.begin(runner.environment, observer.onNotice);
    for (const planned of folder.toRun) {
      const trialDirectory = join(directory, planned.directory);
      // What an interrupted trial left is no record of anything.
      await rm(trialDirectory, { recursive: true, force: true });
      signal.throwIfAborted();
      observer.onTrial(planned, plan.indexOf(planned), plan);
      const verdict = await runner.runTrial(await documents.give(planned), trialDirectory);
      // A report can be made again from the records; the trials that are still to run must not wait for it.
      await report(directory).catch((error: Error) =>
        observer.onNotice(`The report could not be brought up to date, which is tried again later: ${error.message}`),
      );
      observer.onVerdict(planned, verdict);
    }
  } catch (error) {
    return clearUpAfter(error, { clearUp: () => runner.close(), say: observer.onNotice });
  }
  await runner.close();
  return report(directory);
}

/** Brings summary, tables and report up to date with all finished trials. */
async function report(directory: string): Promise<Summary> {
  const { summaries } = await writeReport([directory]);
  return summaries[0]!;
}

/** Runs an experiment: its plan, trial after trial, with summary and report brought up to date after each. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { summarizeElsewhere } from '../../analysis/in-own-process.ts';
import { MACHINE_STOLEN } from '../../analysis/verdict/load-checks.ts';
import { FLEETS } from '../../infra/fleets.ts';
import { clearUpAfter } from '../../infra/process/clear-up.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Summary } from '../../results/formats/summary.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { readPlan } from '../../results/run-folder/run-files.ts';
import { openRunFolder } from '../../results/run-folder/run-folder.ts';
import { setAside } from '../../results/run-folder/set-aside.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { makePlan } from '../experiment/plan.ts';
import { loadFleet } from '../fleets/load.ts';
import type { Runner, RunnerOptions } from '../fleets/runner.ts';
import { type Machine, thisMachine } from '../machine/capacity.ts';
import type { TrialObserver } from '../trial/trial-options.ts';
import { assignDocuments } from '../users/docs/documents.ts';
import type { Ask } from '../users/docs/question.ts';

export interface RunObserver extends TrialObserver {
  /** Something that a person should know; a whole sentence or line. */
  onNotice(text: string): void;
  /** What the trials run on; before the first of them. */
  onEnvironment?(environment: Record<string, unknown>): void;
  onTrial(planned: PlannedTrial, index: number, plan: readonly PlannedTrial[]): void;
  onVerdict(planned: PlannedTrial, verdict: Verdict): void;
  /** The summary of all trials that are finished, each time that it is brought up to date. */
  onSummary?(summary: Summary): void;
}

export interface RunOptions {
  experiment: Experiment;
  /** What runs, in this order, where it is not the experiment's own plan: one that grows from call to call as a search does. */
  plan?: readonly PlannedTrial[];
  /** Where the results go. */
  directory: string;
  /** Go on with the run that lies in `directory`; what has a verdict is not run again. */
  resume: boolean;
  /** Open real windows to watch. */
  show: boolean;
  observer: RunObserver;
  signal: AbortSignal;
  /** Absent where no person can be asked. */
  ask?: Ask | null;
}

/**
 * @param settings.open what tests replace
 * @returns the summary of all finished trials
 * @throws UserError where nothing can be run, the signal's reason where the run was interrupted; finished trials are kept
 */
export async function runExperiment(
  options: RunOptions,
  settings: { open?: (options: RunnerOptions) => Promise<Runner>; machine?: Machine } = {},
): Promise<Summary> {
  const { experiment, directory, show, observer, signal } = options;
  const kind = await loadFleet(experiment.fleet.on);
  const { open = kind.open, machine = thisMachine() } = settings;
  const plan = options.plan ?? makePlan(experiment);
  // Looked at before anything starts anywhere.
  const grows = options.plan !== undefined;
  const { sameMachine } = FLEETS[experiment.fleet.on];
  const folder = await openRunFolder({
    ...{ directory, experiment, plan, readPlan, sameMachine, grows },
    resume: options.resume,
  });
  if (folder.toRun.length === 0) {
    observer.onNotice(`All trials of the run in ${directory} are finished; there is nothing to resume`);
    return report(directory, observer);
  }
  kind.checkMachine?.(folder.toRun, machine);
  // Where a trial lacks a document, and nobody can be asked for it, that is known now.
  const complete = await assignDocuments({ experiment, plan, folder, ask: options.ask ?? null });
  const runner = await open({ experiment, plan, show, observer, signal });
  try {
    await folder.begin(runner.environment, observer.onNotice);
    observer.onEnvironment?.({ ...runner.environment });
    for (const planned of folder.toRun) {
      const trialDirectory = join(directory, planned.directory);
      // What an interrupted trial left is no record of anything.
      await rm(trialDirectory, { recursive: true, force: true });
      signal.throwIfAborted();
      observer.onTrial(planned, plan.indexOf(planned), plan);
      const verdict = await runUndisturbed(await complete(planned), trialDirectory, { runner, observer, signal });
      // A report can be made again from the records; the trials that are still to run must not wait for it.
      await report(directory, observer).catch((error: Error) =>
        observer.onNotice(`The report could not be brought up to date, which is tried again later: ${error.message}`),
      );
      observer.onVerdict(planned, verdict);
    }
  } catch (error) {
    return clearUpAfter(error, { clearUp: () => runner.close(), say: observer.onNotice });
  }
  await runner.close();
  return report(directory, observer);
}

/** How often a trial is run again that its machine was taken away from. */
const REPEATS = 2;

/**
 * Runs a trial, and again where the hypervisor gave the machine's time to others: that says nothing of what is measured, and is
 * known before any figure is. What was before is kept.
 */
async function runUndisturbed(
  planned: PlannedTrial,
  directory: string,
  { runner, observer, signal }: { runner: Runner } & Pick<RunOptions, 'observer' | 'signal'>,
): Promise<Verdict> {
  for (let attempt = 1; ; attempt++) {
    const verdict = await runner.runTrial(planned, directory);
    const isStolen = verdict.verdict === 'invalid' && verdict.reasons.some(({ code }) => code === MACHINE_STOLEN);
    if (!isStolen || attempt > REPEATS) return verdict;
    await setAside(directory, planned.directory);
    signal.throwIfAborted();
    const { message } = verdict.reasons.find(({ code }) => code === MACHINE_STOLEN)!;
    observer.onNotice(`${planned.cell}, trial ${planned.trial}, is run again: ${message}`);
  }
}

/** Brings summary, tables and report up to date with all finished trials. */
async function report(directory: string, observer: RunObserver): Promise<Summary> {
  const summary = await summarizeElsewhere(directory);
  observer.onSummary?.(summary);
  return summary;
}

/** A run folder of trials in which people type: on one fleet, with the processes of one checkout of the project. */
import { FLEETS } from '../../infra/fleets.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Summary } from '../../results/formats/summary.ts';
import { readPlan } from '../../results/run-folder/run-files.ts';
import { openRunFolder } from '../../results/run-folder/run-folder.ts';
import { summarizeRun } from '../analysis.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { loadFleet } from '../fleets/fleet-kind.ts';
import type { RunContext, Runner, RunnerOptions } from '../fleets/runner.ts';
import { type Machine, thisMachine } from '../machine/capacity.ts';
import type { Ask } from '../users/docs/documents.ts';
import { assignDocuments } from '../users/docs/documents.ts';
import type { openBase } from './base.ts';
import type { RunPart, TrialsObserver } from './run-trials.ts';

export type RunObserver = RunContext['observer'] &
  TrialsObserver<PlannedTrial> & {
    /** The summary of all trials that are finished, each time that it is brought up to date. */
    onSummary?(summary: Summary): void;
  };

export interface RunOptions extends RunContext {
  experiment: Experiment;
  /** Replaces the experiment's own plan: one that grows from call to call, as a search's does. */
  plan?: readonly PlannedTrial[];
  /** The folder for the results. */
  directory: string;
  /** Go on with the run that lies in `directory`; what has a verdict is not run again. */
  resume: boolean;
  observer: RunObserver;
  /** Absent if no person can be asked. */
  ask?: Ask | null;
}

/** Parts that tests replace. */
export interface RunSettings {
  open?: (options: RunnerOptions) => Promise<Runner>;
  openBase?: typeof openBase;
  machine?: Machine;
  summarize?: typeof summarizeRun;
}

export interface TypingPart extends RunPart<PlannedTrial, Summary> {
  /** @param root the folder of the project whose processes run; by default this one */
  open(root?: string): Promise<Runner>;
}

/**
 * Looks into the folder, before anything starts anywhere.
 *
 * @param options.grows true if the plan of the run in the folder may end before this one does
 * @throws UserError (2) as `openRunFolder` does
 */
export async function openTypingPart(
  options: RunOptions & { plan: readonly PlannedTrial[]; grows: boolean },
  settings: RunSettings,
): Promise<TypingPart> {
  const { experiment, plan, grows, directory, resume, observer, signal, show } = options;
  const kind = await loadFleet(experiment.fleet.on);
  const { open = kind.open, machine = thisMachine(), summarize = summarizeRun } = settings;
  const { sameMachine } = FLEETS[experiment.fleet.on];
  const folder = await openRunFolder({ directory, experiment, plan, readPlan, sameMachine, grows, resume });
  return {
    directory,
    folder,
    async open(root) {
      kind.checkMachine?.(folder.toRun, machine);
      // Trials that lack a document, and nobody who can be asked for one, are known before anything starts.
      const complete = await assignDocuments({ experiment, plan, folder, ask: options.ask ?? null });
      const runner = await open({ experiment, plan, toRun: folder.toRun, show, observer, signal, root });
      return {
        environment: runner.environment,
        runTrial: async (planned, trialDirectory) => runner.runTrial(await complete(planned), trialDirectory),
        close: () => runner.close(),
      };
    },
    async report() {
      const summary = await summarize(directory);
      observer.onSummary?.(summary);
      return summary;
    },
  };
}

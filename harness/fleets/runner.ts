/** The runner of a run's trials, which a fleet opens (see `<name>/fleet.ts`), and the context that a run hands on. */
import type { Frameworks } from '../../frameworks/framework.ts';
import type { AnyPlannedTrial, PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import type { Refusals } from '../attached/attach.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { TrialContext, TrialObserver } from '../trial/trial-options.ts';

export interface Runner<Planned extends AnyPlannedTrial = PlannedTrial> {
  /** The content of `environment.json`. */
  environment: object;
  /**
   * Runs a trial and leaves its files in a directory of this machine.
   *
   * @throws UserError if it cannot be run, the signal's reason if the run is interrupted
   */
  runTrial(planned: Planned, directory: string): Promise<Verdict>;
  /**
   * Hears of a trial that is finished and in the summary.
   *
   * @throws UserError if the run is over with it
   */
  heed?(planned: Planned, verdict: Verdict): Promise<void>;
  /** True if a trial cannot be run again, because its document is not empty any more. */
  runsOnce?(planned: Planned): boolean;
  /** True if a trial is left out, because earlier ones have shown that it cannot succeed. */
  leavesOut?(planned: Planned): boolean;
  /** Ends all that the run has started. Safe at any moment. */
  close(): Promise<void>;
}

/** As its trials', with what a person should know. */
export interface RunContext extends TrialContext {
  observer: TrialObserver & { onNotice(text: string): void };
}

export interface RunnerOptions extends RunContext {
  experiment: Experiment;
  /** Those of the experiment, of the project whose server and users run. */
  frameworks: Frameworks;
  plan: readonly PlannedTrial[];
  /** Those of the plan that have no verdict yet. */
  toRun: readonly PlannedTrial[];
  /** Trials that may follow the plan. */
  ahead?: readonly PlannedTrial[];
  /** Counts refusals of servers that somebody else runs, over all runners that it is given to. */
  refusals: Refusals;
  /** The folder of the project whose server and users run; by default this one. Only the local fleet can take another. */
  root?: string;
}

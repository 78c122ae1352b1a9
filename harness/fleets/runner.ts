/** Where the trials of a run take place; what opens one is a fleet: see fleets/. */
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { TrialObserver } from '../trial/trial-options.ts';

export interface Runner {
  /** The content of `environment.json`. */
  environment: object;
  /**
   * Runs a trial and leaves its files in a directory of this machine.
   *
   * @throws UserError where it cannot be run, the signal's reason where the run is interrupted
   */
  runTrial(planned: PlannedTrial, directory: string): Promise<Verdict>;
  /** Ends all that the run has started. Safe at any moment. */
  close(): Promise<void>;
}

export interface RunnerOptions {
  experiment: Experiment;
  plan: readonly PlannedTrial[];
  show: boolean;
  observer: TrialObserver & { onNotice(text: string): void };
  signal: AbortSignal;
  /** The folder of the project whose server and users run; by default this one. Only the local fleet can take another. */
  root?: string;
}

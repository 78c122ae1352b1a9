/** Where the trials of a run take place: chosen here and nowhere else. */
import { clearUpAfter } from '../infra/process/clear-up.ts';
import type { PlannedTrial } from '../results/formats/run-directory.ts';
import type { Verdict } from '../results/formats/verdict.ts';
import { resolveTrace } from '../traces/store.ts';
import type { Experiment } from './experiment/experiment.ts';
import { needsOf } from './experiment/fleet-sizes.ts';
import { openFleets } from './fleets.ts';
import { describeEnvironment } from './machine/environment.ts';
import type { TrialObserver } from './trial/trial.ts';
import { readyTrials } from './trial/trials.ts';

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
}

/** @throws UserError (exit code 3) where this machine, or the account on AWS, lacks what the fleet takes */
export async function openRunner(options: RunnerOptions): Promise<Runner> {
  if (options.experiment.fleet.on !== 'fargate') return openRunnerHere(options);
  // Only who goes to AWS waits for its many modules to load.
  const { openFargateRunner } = await import('./fleets/fargate/runner.ts');
  return openFargateRunner(options);
}

/** The coordinator is this process; the fleet is near enough to reach it. */
async function openRunnerHere({ experiment, plan, show, observer, signal }: RunnerOptions): Promise<Runner> {
  // Before a fleet takes its time, and an image is built for nothing.
  const trace = await resolveTrace(experiment.trace);
  const fleets = await openFleets({ experiment, plan, say: observer.onNotice, signal });
  try {
    const [runOne, environment] = await Promise.all([
      readyTrials(experiment, trace),
      describeEnvironment(experiment, fleets.chrome),
    ]);
    return {
      environment,
      async runTrial(planned, directory) {
        const fleet = await fleets.ready(needsOf(experiment, planned));
        return runOne({ planned, fleet, directory, show, observer, signal });
      },
      close: () => fleets.close(),
    };
  } catch (error) {
    return clearUpAfter(error, { clearUp: () => fleets.close(), say: observer.onNotice });
  }
}

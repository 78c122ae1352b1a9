/** Runs trials with the coordinator in this process, on a fleet that is near enough to reach it. */
import { findFrameworks } from '../../frameworks/discover.ts';
import type { Framework } from '../../frameworks/framework.ts';
import type { Need, RunFleet } from '../../infra/fleet.ts';
import { clearUpAfter } from '../../infra/process/clear-up.ts';
import { resolveTrace } from '../../traces/store.ts';
import { readyCrowd } from '../crowd/recordings.ts';
import { needsOf } from '../experiment/plan.ts';
import { describeEnvironment } from '../machine/environment.ts';
import { readyTrials } from '../trial/trials.ts';
import type { Runner, RunnerOptions } from './runner.ts';

/** A run as a fleet knows it before it starts anything. */
export interface FleetRequest {
  /** The needs of each trial of the run. */
  trials: readonly (readonly Need[])[];
  /** Those of the run. */
  frameworks: readonly Framework[];
  /** For what a person should know before or while the fleet is readied. */
  say: (text: string) => void;
  signal: AbortSignal;
}

export async function openRunnerHere(
  { experiment, plan, show, observer, signal, root }: RunnerOptions,
  openFleet: (request: FleetRequest) => Promise<RunFleet>,
): Promise<Runner> {
  // Before a fleet takes its time, and an image is built for nothing.
  const trace = await resolveTrace(experiment.trace);
  if (experiment.start.trace !== null) await resolveTrace(experiment.start.trace);
  const trials = plan.map((planned) => needsOf(experiment, planned));
  const say = observer.onNotice;
  const frameworks = await findFrameworks(experiment.frameworks, root);
  const fleet = await openFleet({ trials, frameworks: [...frameworks.values()], say, signal });
  try {
    const [runOne, environment] = await Promise.all([
      readyTrials(experiment, trace, frameworks),
      describeEnvironment(experiment, { frameworks, chrome: fleet.chrome, project: root }),
    ]);
    return {
      environment,
      async runTrial(planned, directory) {
        const upcoming = plan.slice(1 + plan.findIndex((other) => other.directory === planned.directory));
        const crowd = await readyCrowd({ experiment, frameworks, planned, upcoming, say, signal });
        await fleet.ready(needsOf(experiment, planned));
        return runOne({ planned, fleet, crowd, directory, show, observer, signal });
      },
      close: () => fleet.close(),
    };
  } catch (error) {
    return clearUpAfter(error, { clearUp: () => fleet.close(), say });
  }
}

/** Chooses the fleet of a run whose coordinator is this process, by the experiment's word. */
import { openComposeFleets } from '../infra/compose/compose-fleets.ts';
import type { Fleets } from '../infra/fleet.ts';
import { localFleets } from '../infra/local/local-fleet.ts';
import { openWorkersFleets } from '../infra/workers/workers-fleets.ts';
import type { PlannedTrial } from '../results/formats/run-directory.ts';
import type { Experiment } from './experiment/experiment.ts';
import { needsOf } from './experiment/fleet-sizes.ts';
import { PROJECT_ROOT } from './project.ts';

/**
 * Opens the fleets that a run's trials get, one after the other.
 *
 * @param options.plan what is going to be run: what cannot be carried is refused before anything starts
 * @param options.say  for what a person should know before or while fleets are readied
 * @throws UserError (exit code 3) where this machine lacks what the fleet takes
 */
export async function openFleets(options: {
  experiment: Experiment;
  plan: readonly PlannedTrial[];
  say: (text: string) => void;
  signal: AbortSignal;
}): Promise<Fleets> {
  const { experiment, plan, say, signal } = options;
  const trials = plan.map((planned) => needsOf(experiment, planned));
  switch (experiment.fleet.on) {
    case 'local':
      return localFleets(PROJECT_ROOT);
    case 'workers':
      return openWorkersFleets({ environment: process.env, say, signal });
    case 'compose':
      return openComposeFleets({ root: PROJECT_ROOT, trials, say, signal });
    case 'fargate':
      throw new Error('on fargate the coordinator is not in this process; see place.ts');
  }
}

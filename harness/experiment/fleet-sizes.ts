/** What a fleet gives to a trial: users per process, limits of CPU and memory. */
import type { Need, Resources } from '../../infra/fleet.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { MODES, type Mode } from '../modes.ts';
import type { Experiment, FleetName } from './experiment.ts';

/** More users in one Chrome make its shared processes a bottleneck; fewer cost a further Chrome's memory. */
const USERS_PER_LOCAL_BROWSER = 16;

const NO_LIMITS: Resources = { cpus: null, memoryMiB: null };

/** Fleets that make a container for each process, with limits of its own. */
const FLEETS_WITH_LIMITS: readonly FleetName[] = ['compose', 'fargate'];

export function imposesLimits(fleet: FleetName): boolean {
  return FLEETS_WITH_LIMITS.includes(fleet);
}

/** Users that share one Chrome, and so one process of the fleet. */
export function usersPerBrowser({ fleet }: Experiment): number {
  return fleet.usersPerBrowser ?? (fleet.on === 'local' ? USERS_PER_LOCAL_BROWSER : 1);
}

/** Limits of the server's process and of each process of users in a trial of this mode; null: no limit. */
export function limitsOf(experiment: Experiment, mode: Mode): { server: Resources; users: Resources } {
  const { fleet, resources } = experiment;
  if (!imposesLimits(fleet.on)) return { server: NO_LIMITS, users: NO_LIMITS };
  const paper = MODES[mode].userLimits;
  const { cpus, memoryMiB } = resources.user;
  // One user a container, as a rule of the experiment file has it.
  return { server: resources.server, users: { cpus: cpus ?? paper.cpus, memoryMiB: memoryMiB ?? paper.memoryMiB } };
}

/** The limits of every mode that the experiment runs, as `environment.json` keeps them; null where there are none. */
export function limitsByMode(experiment: Experiment): Record<string, ReturnType<typeof limitsOf>> | null {
  if (!imposesLimits(experiment.fleet.on)) return null;
  return Object.fromEntries(experiment.modes.map((mode) => [mode, limitsOf(experiment, mode)]));
}

/** The processes that a trial launches, with their limits. */
export function needsOf(experiment: Experiment, { mode, users }: Pick<PlannedTrial, 'mode' | 'users'>): Need[] {
  const limits = limitsOf(experiment, mode as Mode);
  return [
    { name: 'server', count: 1, resources: limits.server },
    { name: 'users', count: Math.ceil(users / usersPerBrowser(experiment)), resources: limits.users },
  ];
}

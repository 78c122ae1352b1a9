/** A fleet's resources for a trial: users per process, limits of CPU and memory. */
import { availableParallelism } from 'node:os';
import { MODES, type Mode } from '../../frameworks/modes.ts';
import type { Need, Resources } from '../../infra/fleet.ts';
import { FLEETS } from '../../infra/fleets.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Experiment } from './experiment.ts';

const NO_LIMITS: Resources = { cpus: null, memoryMiB: null };

/** Users that share one process of the fleet, and so a Chrome, or, without one, a core; see `processPer` of the modes. */
export function usersPerProcess({ fleet }: Experiment, { mode, users }: Pick<PlannedTrial, 'mode' | 'users'>): number {
  const { usersPerProcess: ofFleet, sharesCores } = FLEETS[fleet.on];
  if (fleet.usersPerBrowser !== null) return fleet.usersPerBrowser;
  return MODES[mode as Mode].processPer === 'core' && sharesCores ? Math.ceil(users / availableParallelism()) : ofFleet;
}

/** Limits of the server's process and of each process of users in a trial of this mode; null: no limit. */
export function limitsOf(experiment: Experiment, mode: Mode): { server: Resources; users: Resources } {
  const { fleet, resources } = experiment;
  if (!FLEETS[fleet.on].limits) return { server: NO_LIMITS, users: NO_LIMITS };
  const paper = MODES[mode].userLimits;
  const { cpus, memoryMiB } = resources.user;
  // One user a container, as a rule of the experiment file has it.
  return { server: resources.server, users: { cpus: cpus ?? paper.cpus, memoryMiB: memoryMiB ?? paper.memoryMiB } };
}

/** The limits of every mode that the experiment runs, as `environment.json` keeps them; null if there are none. */
export function limitsByMode(experiment: Experiment): Record<string, ReturnType<typeof limitsOf>> | null {
  if (!FLEETS[experiment.fleet.on].limits) return null;
  return Object.fromEntries(experiment.modes.map((mode) => [mode, limitsOf(experiment, mode)]));
}

/** How many of a trial's users are live, the first of them; the others are a crowd. */
export function liveUsers({ users, probes }: Pick<PlannedTrial, 'users' | 'probes'>): number {
  return probes ?? users;
}

/** The processes that a trial launches, with their limits. */
export function needsOf(experiment: Experiment, planned: Pick<PlannedTrial, 'mode' | 'users' | 'probes'>): Need[] {
  const { mode } = planned;
  const limits = limitsOf(experiment, mode as Mode);
  const live = liveUsers(planned);
  return [
    { name: 'server', count: 1, resources: limits.server },
    {
      name: 'users',
      count: Math.ceil(live / usersPerProcess(experiment, { mode, users: live })),
      resources: limits.users,
    },
  ];
}

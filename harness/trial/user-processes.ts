/** Who hosts a trial's users, where some of them are a crowd. */
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { liveUsers, usersPerProcess } from '../experiment/fleet-sizes.ts';
import { hostArguments } from './assignments.ts';

/** The users who are no probes: played from the recording in a folder, or live ones in Node. */
export type TrialCrowd = { kind: 'recorded'; recording: string; restsOnOrder?: boolean } | { kind: 'live' };

/** The mode of a live crowd's users. */
export const LIVE_CROWD_MODE = 'node';

/** A process that hosts users of a trial. */
export interface UserProcess {
  name: 'users' | 'crowd';
  entry: string;
  mode: string;
  arguments: string[];
  /** Whom it hosts, for messages. */
  who: string;
}

export function userProcesses(options: {
  planned: PlannedTrial;
  experiment: Experiment;
  crowd?: TrialCrowd;
  show: boolean;
}): UserProcess[] {
  const { planned, experiment, crowd, show } = options;
  const { mode, users } = planned;
  const live = liveUsers(planned);
  const hosts = (first: number, count: number, given: { mode: string; show: boolean }): UserProcess[] =>
    hostArguments(
      { first, users: count },
      usersPerProcess(experiment, { mode: given.mode, users: count }),
      given.show,
    ).map((args) => ({
      name: 'users',
      entry: 'harness/users/main.ts',
      mode: given.mode,
      arguments: args,
      who: whoIn(args),
    }));
  const probes = hosts(0, live, { mode, show });
  if (crowd === undefined) return probes;
  if (crowd.kind === 'live') {
    const hosted = hosts(live, users - live, { mode: LIVE_CROWD_MODE, show: false });
    return [...probes, ...hosted.map((host) => ({ ...host, arguments: [...host.arguments, '--load'] }))];
  }
  const args = ['--first', `${live}`, '--users', `${users - live}`];
  const entry = 'harness/crowd/main.ts';
  const player: UserProcess = {
    name: 'crowd',
    entry,
    mode,
    arguments: [...args, '--recording', crowd.recording],
    who: whoIn(args),
  };
  return [...probes, player];
}

function whoIn([, first, , users]: readonly string[]): string {
  const last = Number(first) + Number(users) - 1;
  return Number(first) === last ? `user ${first}` : `users ${first} to ${last}`;
}

/**
 * How long documents must stay as they are and alike, before they count as settled: what one user sent last may still be on its
 * way to all others, who are alike without it. Nobody who holds a document knows what a recorded crowd sent last: the server
 * has read it, and it travels to the probes; a page that were busy for that long would not answer when asked.
 */
export function restMsAfter(
  { network, batching }: Pick<Experiment, 'network' | 'batching'>,
  { isPlayed }: { isPlayed: boolean },
): number {
  const longestMs = Math.max(...network.groups.map(({ link }) => link.oneWayDelayMs + link.jitterMs));
  return isPlayed ? LEAST_REST_MS + longestMs + batching.receiveMs : 2 * longestMs + batching.receiveMs;
}
const LEAST_REST_MS = 1000;

/** The processes that host a trial's users. */
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { liveUsers, usersPerProcess } from '../experiment/fleet-sizes.ts';
import { LIVE_CROWD_MODE } from './trial-users.ts';

/** The users who are no probes: played from the recording in a folder, or live ones in Node. */
export type TrialCrowd = { kind: 'recorded'; recording: string; restsOnOrder?: boolean } | { kind: 'live' };

/** A process that hosts users of a trial. */
export interface UserProcess {
  name: 'users' | 'crowd';
  entry: string;
  mode: string;
  arguments: string[];
  /** Its users, for messages. */
  users: string;
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
  const flags = show ? ['--show'] : [];
  const probes = liveHosts({ first: 0, users: live, mode, flags }, experiment);
  if (crowd === undefined) return probes;
  const others = { first: live, users: users - live };
  if (crowd.kind === 'live') {
    return [...probes, ...liveHosts({ ...others, mode: LIVE_CROWD_MODE, flags: ['--load'] }, experiment)];
  }
  const player: UserProcess = {
    name: 'crowd',
    entry: 'harness/crowd/main.ts',
    mode,
    arguments: [...numbersOf(others), '--recording', crowd.recording],
    users: describe(others),
  };
  return [...probes, player];
}

interface Share {
  first: number;
  users: number;
}

/** Live users, in as many processes as let none carry more of them than it should. */
function liveHosts(
  { first, users, mode, flags }: Share & { mode: string; flags: string[] },
  experiment: Experiment,
): UserProcess[] {
  const hosts = Math.ceil(users / usersPerProcess(experiment, { mode, users }));
  return Array.from({ length: hosts }, (_, host): UserProcess => {
    const before = Math.floor((users * host) / hosts);
    const share = { first: first + before, users: Math.floor((users * (host + 1)) / hosts) - before };
    const name = `host-${first === 0 ? host : share.first}`;
    return {
      name: 'users',
      entry: 'harness/users/main.ts',
      mode,
      arguments: [...numbersOf(share), '--host', name, ...flags],
      users: describe(share),
    };
  });
}

function numbersOf({ first, users }: Share): string[] {
  return ['--first', String(first), '--users', String(users)];
}

function describe({ first, users }: Share): string {
  return users === 1 ? `user ${first}` : `users ${first} to ${first + users - 1}`;
}

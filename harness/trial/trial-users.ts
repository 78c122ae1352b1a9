/** The users of a trial, decided once from the plan before anything starts, and the processes that host them. */
import type { Crowd } from '../../editors/base/framework.ts';
import { type Link, NO_LINK } from '../../infra/network/link.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Edit } from '../../traces/edits.ts';
import type { Trace } from '../../traces/format.ts';
import { startText } from '../../traces/prose.ts';
import { resolveTrace } from '../../traces/store.ts';
import { goldenFraction, stretchFor } from '../../traces/stretches.ts';
import { type AgentKind, agentsIn, countCompany } from '../experiment/company.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { groupsOf, linkOn } from '../experiment/network.ts';
import { liveUsers, usersPerProcess } from '../experiment/plan.ts';
import { farMs, restMs } from '../experiment/settling.ts';

/** The mode of users who are live in Node beside those of the cell's mode: of a live crowd, agents and readers. */
export const LIVE_CROWD_MODE = 'node';

/** The kind of a crowd: played from a recording, or typed by users in Node. */
export type CrowdKind = 'recorded' | 'live';

interface Seat {
  number: number;
  /** The name of its network group. */
  group: string;
  /** The link between it and the server, beside the network that is there. */
  link: Link;
  /** Longest way of a message, ms, over the link or the real distance. */
  farMs: number;
  /** By how much its page is slowed down; 1: not at all. */
  cpuSlowdown: number;
  /** The most edits that it can make in the trial; 0: it only watches. */
  edits: number;
  /** True if it puts in the text that the document begins with. */
  isAuthor: boolean;
}

/**
 * The kinds: a user of a trial without a crowd; one that is measured among a crowd; one of either crowd. Beside them, with the
 * numbers after theirs: an agent; a reader with a client; and one member for all readers who are sockets.
 */
export type TrialUser = Seat &
  (
    | { kind: 'plain' }
    | { kind: 'probe'; crowd: CrowdKind }
    | { kind: 'live-crowd' }
    | { kind: 'played' }
    | { kind: 'agent'; agent: AgentKind }
    | { kind: 'reader' }
    | { kind: 'audience'; readers: number }
  );

/** The users of a trial by number. @param crowd what those are who are no probes; absent: there are none */
export function usersOf(
  experiment: Experiment,
  { planned, crowd }: { planned: PlannedTrial; crowd?: CrowdKind },
): TrialUser[] {
  const live = liveUsers(planned);
  const writers = experiment.writers === 'all' ? planned.users : experiment.writers;
  const edits = editCount(experiment);
  const people = groupsOf(planned.users, experiment.network.groups).map((group, number): TrialUser => {
    const seat: Seat = {
      number,
      group: group.name,
      link: linkOn(experiment.fleet.on, group),
      farMs: farMs(group),
      cpuSlowdown: group.cpuSlowdown,
      edits: number < writers ? edits : 0,
      // A played crowd's edits rest on the start, so its first user brings the start in the recording.
      isAuthor: number === (crowd === 'recorded' ? live : 0),
    };
    if (crowd === undefined) return { ...seat, kind: 'plain' };
    if (number < live) return { ...seat, kind: 'probe', crowd };
    return { ...seat, kind: crowd === 'recorded' ? 'played' : 'live-crowd' };
  });
  return [...people, ...companyAt(planned)];
}

/** Those beside the users of a trial, who are where the server is, whatever the experiment's network. */
function companyAt(planned: PlannedTrial): TrialUser[] {
  const { clientReaders, socketReaders } = countCompany(planned);
  const agents = agentsIn(planned);
  const seat = { ...AT_THE_SERVER, edits: 0 };
  const company = [
    ...Array.from(
      { length: agents?.count ?? 0 },
      () => ({ ...seat, edits: 1, kind: 'agent', agent: agents!.kind }) as const,
    ),
    ...Array.from({ length: clientReaders }, () => ({ ...seat, kind: 'reader' }) as const),
    ...(socketReaders === 0 ? [] : [{ ...seat, kind: 'audience', readers: socketReaders } as const]),
  ];
  return company.map((member, index) => ({ ...member, number: planned.users + index }));
}

const AT_THE_SERVER = {
  group: 'at the server',
  link: NO_LINK,
  ...{ farMs: 0, cpuSlowdown: 1, isAuthor: false },
};

/** The most edits that a user can make in a trial. */
function editCount({ durations, typing }: Experiment): number {
  const typingMs = durations.warmUpMs + durations.measureMs + durations.profileMs;
  return Math.ceil((typingMs / 1000) * typing.keysPerSecond) + 1;
}

/** True if a user holds a document: a played one does not, and no socket. */
export function isReplica({ kind }: TrialUser): boolean {
  return kind !== 'played' && kind !== 'audience';
}

/** True if a user sits in Node, whatever the cell's mode. */
export function isInNode({ kind }: TrialUser): boolean {
  return kind === 'live-crowd' || kind === 'agent' || kind === 'reader';
}

/** How many of the trial's users type; they are the first. */
export function writersAmong(users: readonly TrialUser[]): number {
  return users.filter(({ kind, edits }) => kind !== 'agent' && edits > 0).length;
}

/** The material of all users' typing: the trace, by author, and the text that the document begins with. */
export interface Material {
  authors: readonly (readonly Edit[])[];
  startText: string;
}

/**
 * A user's edits: its own stretch of the trace. Users begin all over the document, at whose start their cursors stand; the
 * author of the start goes on at its end. An agent makes room for its paragraph.
 */
export function editsFor({ kind, number, edits, isAuthor }: TrialUser, { authors, startText }: Material): Edit[] {
  if (edits === 0) return [];
  const distance = isAuthor ? 0 : Math.floor(goldenFraction(number) * startText.length);
  if (kind === 'agent') return [{ kind: 'paste', move: distance, text: ROOM_FOR_A_PARAGRAPH }];
  const [first, ...others] = stretchFor({ authors, user: number, count: edits });
  return first === undefined ? [] : [{ ...first, move: first.move + distance }, ...others];
}

/** An agent's first edit; it goes on between the two. */
const ROOM_FOR_A_PARAGRAPH = '\n\n';

/**
 * Text that the document holds before anyone types.
 *
 * @param trace the one that users replay
 * @throws UserError (2) if the start's trace is not here, or too short
 */
export async function startOf(
  { start, trace: name }: Pick<Experiment, 'start' | 'trace'>,
  trace: Trace,
): Promise<string> {
  const { characters } = start;
  if (start.trace === null) return startText({ trace: null, characters });
  return startText({ trace: start.trace === name ? trace : await resolveTrace(start.trace), characters });
}

/** How long the documents of these users must rest to count as settled, ms. */
export function restMsAfter(users: readonly TrialUser[], { batching }: Pick<Experiment, 'batching'>): number {
  const isPlayed = users.some(({ kind }) => kind === 'played');
  return restMs({ farthestMs: Math.max(...users.map((user) => user.farMs)), isPlayed, batching });
}

/** The users who are no probes: played from the recording in a folder, or live ones in Node. */
export type TrialCrowd = Pick<Crowd, 'patched'> &
  ({ kind: 'recorded'; recording: string; restsOnOrder?: boolean } | { kind: 'live' });

/** A process that hosts users of a trial. */
export interface UserProcess {
  /** Its folder in harness/, too. */
  name: 'users' | 'crowd' | 'audience';
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
  const { planned, experiment, show } = options;
  const { mode, users } = planned;
  const live = liveUsers(planned);
  const flags = show ? ['--show'] : [];
  const { agents, clientReaders, socketReaders } = countCompany(planned);
  const inNode = { first: users, users: agents + clientReaders };
  const audience = { first: users + inNode.users, users: 1 };
  return [
    ...liveHosts({ first: 0, users: live, mode, flags }, experiment),
    ...crowdProcesses({ first: live, users: users - live }, options),
    ...liveHosts({ ...inNode, mode: LIVE_CROWD_MODE, flags: LOAD }, experiment),
    ...(socketReaders === 0 ? [] : [{ ...processOf('audience', mode, audience), users: 'the readers' }]),
  ];
}

/** Of users who are load for those that are measured. */
const LOAD = ['--load'];

function crowdProcesses(others: Share, options: Parameters<typeof userProcesses>[0]): UserProcess[] {
  const { planned, experiment, crowd } = options;
  if (crowd === undefined) return [];
  // All other users have the library as it comes.
  if (crowd.kind === 'live')
    return liveHosts({ ...others, mode: LIVE_CROWD_MODE, flags: [...LOAD, '--crowd'] }, experiment);
  return [processOf('crowd', planned.mode, others, ['--recording', crowd.recording])];
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
  const hosts = users === 0 ? 0 : Math.ceil(users / usersPerProcess(experiment, { mode, users }));
  return Array.from({ length: hosts }, (_, host) => {
    const before = Math.floor((users * host) / hosts);
    const share = { first: first + before, users: Math.floor((users * (host + 1)) / hosts) - before };
    return processOf('users', mode, share, ['--host', `host-${first === 0 ? host : share.first}`, ...flags]);
  });
}

function processOf(
  name: UserProcess['name'],
  mode: string,
  { first, users }: Share,
  flags: string[] = [],
): UserProcess {
  return {
    name,
    mode,
    arguments: ['--first', String(first), '--users', String(users), ...flags],
    users: users === 1 ? `user ${first}` : `users ${first} to ${first + users - 1}`,
  };
}

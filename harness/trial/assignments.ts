/** Who does what in a trial: how users are spread over host processes, and what each is told. */
import * as prng from 'lib0/prng';
import type { FrameworkAbout, Presence } from '../../editors/base/framework.ts';
import { SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import type { Mode } from '../../frameworks/modes.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Edit } from '../../traces/edit.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { groupOf, linkOn } from '../experiment/groups.ts';
import type { Assignment } from './protocol.ts';

/** Keeps a user's phase apart from what the typist draws with the same seed. */
const PHASE_STREAM = 0xba7c;

/** The arguments of each host process, so that none carries more users than it should. */
export function hostArguments(
  { first: firstOfAll = 0, users }: { first?: number; users: number },
  usersPerProcess: number,
  show: boolean,
): string[][] {
  const hosts = Math.ceil(users / usersPerProcess);
  return Array.from({ length: hosts }, (_, host) => {
    const first = Math.floor((users * host) / hosts);
    const here = Math.floor((users * (host + 1)) / hosts) - first;
    const numbers = ['--first', String(firstOfAll + first), '--users', String(here)];
    return [...numbers, '--host', `host-${firstOfAll === 0 ? host : firstOfAll + first}`, ...(show ? ['--show'] : [])];
  });
}

/** Sender batching is for the modes that the experiment names, and for frameworks that do not gather what they send by themselves. */
export function fittedTo(
  experiment: Experiment,
  { withoutSendBatching }: FrameworkAbout,
  { mode }: Pick<PlannedTrial, 'mode'>,
): Experiment {
  const applies = withoutSendBatching === undefined && experiment.batching.sendModes.some((each) => each === mode);
  if (applies) return experiment;
  return { ...experiment, batching: { ...experiment.batching, sendFromUsers: 'never' } };
}

/** As many edits as a user can come to in a trial. */
export function editCount({ durations, typing }: Experiment): number {
  const typingMs = durations.warmUpMs + durations.measureMs + durations.profileMs;
  return Math.ceil((typingMs / 1000) * typing.keysPerSecond) + 1;
}

/** How many of a trial's users type: the first. */
export function writersOf({ writers }: Experiment, { users }: Pick<PlannedTrial, 'users'>): number {
  return writers === 'all' ? users : Math.min(writers, users);
}

/** @param edits what the user types; null for one who only watches */
export function assignmentOf(options: {
  user: number;
  /** The user's own, where it is not the cell's. */
  mode?: string;
  /** Whether what it sends is to be kept. */
  keepsSent?: boolean;
  planned: PlannedTrial;
  experiment: Experiment;
  edits: Edit[] | null;
  /** What it is told of faults that are asked for; absent: there are none. */
  faults?: Pick<Assignment, 'bearsFaults' | 'lineFails'>;
  serverUrl: string;
  pageUrl: string;
}): Assignment {
  const { user, planned, mode = planned.mode, keepsSent, experiment, edits, faults, serverUrl, pageUrl } = options;
  const { batching, fleet, network, typing } = experiment;
  return {
    user,
    users: planned.users,
    framework: planned.framework,
    mode: mode as Mode,
    keepsSent,
    seed: planned.seed,
    writes: edits !== null,
    serverUrl,
    pageUrl,
    documentId: planned.document ?? documentOf(planned),
    batching: batchingOf(batching, { user, users: planned.users, seed: planned.seed }),
    ...(planned.presence && { presence: whoIs(user) }),
    link: linkOn(fleet.on, groupOf(user, planned.users, network.groups)),
    ...faults,
    typing,
    edits: edits ?? [],
  };
}

/** What users send names it, so where a crowd is played it is the same in every mode, and one recording does for all. */
function documentOf({ cell, framework, users, trial, probes }: PlannedTrial): string {
  return probes === undefined ? `${cell}-${trial}` : `${framework}-crowd-${users}-${trial}`;
}

/** By the golden angle, so that neighbours are told apart. */
const HUE_STEP_DEGREES = 137.5;

/** How a user is shown to the others. */
function whoIs(user: number): Presence {
  return { name: `User ${user}`, colour: `hsl(${(user * HUE_STEP_DEGREES) % 360} 70% 40%)` };
}

/** How a user gathers what it sends and receives. */
export function batchingOf(
  { receiveMs, receiveRhythm, sendMs, ...batching }: Experiment['batching'],
  { user, users, seed }: { user: number; users: number; seed: number },
): Assignment['batching'] {
  const phase = prng.real53(prng.create((seed ^ PHASE_STREAM) * SIGIL_NUMBERS + user));
  return {
    receiveMs,
    receivePhaseMs: receiveRhythm === 'ticks' ? phase * receiveMs : undefined,
    sendMs: batchesSends(batching, users) ? sendMs : 0,
  };
}

function batchesSends({ sendFromUsers }: Pick<Experiment['batching'], 'sendFromUsers'>, users: number): boolean {
  return sendFromUsers === 'always' || (sendFromUsers !== 'never' && users >= sendFromUsers);
}

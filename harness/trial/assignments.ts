/** The assignment of each user of a trial. */
import * as prng from 'lib0/prng';
import type { FrameworkAbout, Presence } from '../../editors/base/framework.ts';
import { SIGIL_NUMBERS } from '../../editors/base/sigils.ts';
import type { Mode } from '../../frameworks/modes.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Edit } from '../../traces/edits.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { serverOf } from '../experiment/servers.ts';
import { gathersSent } from '../experiment/settling.ts';
import { faultsFor } from './fault-schedule.ts';
import type { Assignment } from './protocol.ts';
import { isInNode, LIVE_CROWD_MODE, type TrialUser } from './trial-users.ts';

/** Keeps a user's phase apart from what the typist draws with the same seed. */
const PHASE_STREAM = 0xba7c;

/** Sender batching is for the modes that the experiment names, and for frameworks that do not gather what they send by themselves. */
export function fittedTo(
  experiment: Experiment,
  { withoutSendBatching }: FrameworkAbout,
  { mode }: Pick<PlannedTrial, 'mode'>,
): Experiment {
  const applies = withoutSendBatching === undefined && experiment.batching.sendModes.some((name) => name === mode);
  if (applies) return experiment;
  return { ...experiment, batching: { ...experiment.batching, sendFromUsers: 'never' } };
}

/** The values that all users of a trial have in common. */
interface AssignmentContext {
  planned: PlannedTrial;
  experiment: Experiment;
  /** Those of the servers, in the order of their numbers; or of the one document that is elsewhere. */
  serverUrls: readonly string[];
  pageUrl: string;
  joinPeriodMs?: number;
}

/** @param edits the edits that the user is to type itself */
export function assignmentOf(
  user: TrialUser,
  edits: Edit[],
  { planned, experiment, serverUrls, pageUrl, joinPeriodMs = 0 }: AssignmentContext,
): Assignment {
  const { number, link, cpuSlowdown } = user;
  const { batching, typing, faults, affinity } = experiment;
  const areSpread = serverUrls.length > 1 && affinity === 'spread';
  return {
    user: number,
    users: planned.users,
    framework: planned.framework,
    mode: (isInNode(user) ? LIVE_CROWD_MODE : planned.mode) as Mode,
    agent: user.kind === 'agent' ? user.agent : undefined,
    readers:
      user.kind === 'audience'
        ? { count: user.readers, joinPeriodMs, servers: areSpread ? [...serverUrls] : undefined }
        : undefined,
    cpuSlowdown: isInNode(user) || cpuSlowdown === 1 ? undefined : cpuSlowdown,
    keepsSent: user.kind === 'probe' && user.crowd === 'recorded',
    seed: planned.seed,
    writes: user.edits > 0,
    serverUrl: serverUrls[serverOf(number, { count: serverUrls.length, affinity })]!,
    pageUrl,
    documentId: planned.document ?? documentOf(planned),
    batching: batchingOf(batching, { user: number, users: planned.users, seed: planned.seed }),
    presence: planned.presence && user.kind !== 'reader' ? presenceOf(number) : undefined,
    link,
    faults: faultsFor(user, faults),
    typing,
    edits,
  };
}

/**
 * The document's name. Some libraries write it into every message, so it is the same in all modes and whoever is played: a
 * recording serves all modes, and bytes can be compared.
 */
export function documentOf({ framework, users, trial }: Pick<PlannedTrial, 'framework' | 'users' | 'trial'>): string {
  return `${framework}-${users}-${trial}`;
}

/** By the golden angle, so that neighbours are told apart. */
const HUE_STEP_DEGREES = 137.5;

/** How a user is shown to the others. */
function presenceOf(user: number): Presence {
  return { name: `User ${user}`, colour: `hsl(${(user * HUE_STEP_DEGREES) % 360} 70% 40%)` };
}

/** How a user gathers what it sends and receives. */
export function batchingOf(
  batching: Experiment['batching'],
  { user, users, seed }: { user: number; users: number; seed: number },
): Assignment['batching'] {
  const phase = prng.real53(prng.create((seed ^ PHASE_STREAM) * SIGIL_NUMBERS + user));
  const { receiveMs, receiveRhythm, sendMs } = batching;
  return {
    receiveMs,
    receivePhaseMs: receiveRhythm === 'ticks' ? phase * receiveMs : undefined,
    sendMs: gathersSent(batching, users) ? sendMs : 0,
  };
}

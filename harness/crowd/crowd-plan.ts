/** What is to be recorded for a trial: who the crowd is, what it depends on, and what each user is told. */
import { createHash } from 'node:crypto';
import { crowdOf } from '../../editors/base/framework.ts';
import type { Framework, Frameworks } from '../../frameworks/framework.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Edit } from '../../traces/edit.ts';
import { editsOf } from '../../traces/edits.ts';
import { resolveTrace } from '../../traces/store.ts';
import { stretchFor } from '../../traces/stretches.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { linkOn } from '../experiment/groups.ts';
import { assignmentOf, batchingOf, editCount, fittedTo, writersOf } from '../trial/assignments.ts';
import type { Assignment } from '../trial/protocol.ts';
import { authorOfStart, beginningIn, startOf } from '../trial/trial-users.ts';
import type { RecordingKey } from './recording.ts';
import { sourcesOf } from './sources.ts';

/** One crowd to record; plain data. */
export interface CrowdPlan {
  key: RecordingKey;
  planned: PlannedTrial;
  experiment: Experiment;
}

/** No process has this address: clients and server are in one. */
const SERVER_URL = 'ws://crowd';

/**
 * The crowd of a trial that is to be recorded; null where there is none, or it is live.
 *
 * @throws UserError where the trace is not here
 */
export async function recordedCrowd(
  experiment: Experiment,
  { planned, frameworks }: { planned: PlannedTrial; frameworks: Frameworks },
): Promise<CrowdPlan | null> {
  const { probes } = planned;
  if (probes === undefined) return null;
  const framework = frameworks.get(planned.framework)!;
  return crowdOf(framework.about)?.kind === 'recorded' ? planCrowd({ experiment, planned, framework, probes }) : null;
}

/**
 * @param options.probes how many users are no part of the crowd: the first
 * @throws UserError where the trace is not here
 */
export async function planCrowd(options: {
  experiment: Experiment;
  planned: PlannedTrial;
  framework: Framework;
  probes: number;
}): Promise<CrowdPlan> {
  const { planned, probes } = options;
  const experiment = fittedTo(options.experiment, options.framework.about, planned);
  const { durations, batching, typing, network, fleet } = experiment;
  const { documentId } = tell(probes, { experiment, planned, edits: null });
  const key: RecordingKey = {
    framework: planned.framework,
    sources: await sourcesOf(options.framework),
    first: probes,
    users: planned.users,
    seed: planned.seed,
    trace: await traceDigest(experiment.trace),
    start: digestOf(await crowdStart(experiment)),
    typing: { ...typing, writers: writersOf(experiment, planned) },
    // Of one user: what the experiment says of modes and counts of users has no further effect.
    batching: batchingOf(batching, { user: probes, users: planned.users, seed: planned.seed }),
    network: network.groups.map((group) => ({ share: group.share, ...linkOn(fleet.on, group) })),
    typingMs: durations.warmUpMs + durations.measureMs + durations.profileMs,
    documentId,
  };
  return { key, experiment, planned };
}

/** What the users of the crowd are told, as in a trial. */
export async function assignmentsOf({ key, experiment, planned }: CrowdPlan): Promise<Assignment[]> {
  const authors = editsOf(await resolveTrace(experiment.trace));
  const start = await crowdStart(experiment);
  const author = authorOfStart({ playedFrom: key.first });
  const writers = writersOf(experiment, planned);
  const editsFor = (user: number) =>
    beginningIn(start, { user, author }, stretchFor({ authors, user, count: editCount(experiment) }));
  return Array.from({ length: key.users - key.first }, (_, index) => {
    const user = key.first + index;
    return tell(user, { experiment, planned, edits: user < writers ? editsFor(user) : null });
  });
}

function tell(user: number, told: { experiment: Experiment; planned: PlannedTrial; edits: Edit[] | null }): Assignment {
  return assignmentOf({ user, ...told, serverUrl: SERVER_URL, pageUrl: SERVER_URL });
}

/** What the document begins with, which the crowd's first user puts in. @throws UserError (2) where its trace is not here */
export async function crowdStart(experiment: Experiment): Promise<string> {
  return startOf(experiment, await resolveTrace(experiment.trace));
}

/** Of what it makes users type. */
async function traceDigest(name: string): Promise<string> {
  return digestOf(JSON.stringify(editsOf(await resolveTrace(name))));
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

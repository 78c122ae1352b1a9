/** The recording that a trial needs: the crowd's users, the inputs that its key names, and each user's assignment. */

import { createHash } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';
import { crowdOf } from '../../editors/base/framework.ts';
import type { Framework, Frameworks } from '../../frameworks/framework.ts';
import { closureOf, reachedFrom, readLock } from '../../frameworks/imports.ts';
import { packageFolder } from '../../frameworks/packages/ready-packages.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { byName, sha256Of } from '../../results/formats/digest.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { editsOf } from '../../traces/edits.ts';
import { resolveTrace } from '../../traces/store.ts';
import { isCrowdRecorded } from '../experiment/company.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { assignmentOf, batchingOf, documentOf, fittedTo } from '../trial/assignments.ts';
import type { Assignment } from '../trial/protocol.ts';
import { editsFor, startOf, usersOf, writersAmong } from '../trial/trial-users.ts';
import type { RecordingKey } from './recording.ts';

/** One crowd to record; plain data. */
export interface CrowdPlan {
  key: RecordingKey;
  planned: PlannedTrial;
  experiment: Experiment;
  /** How many WebAssembly memories its simulated users are divided among; 0: the library's are no matter. */
  memories: number;
}

/** No process has this address: clients and server are in one. */
const SERVER_URL = 'ws://crowd';

/**
 * The crowd of a trial that is to be recorded; null if there is none, or it is live.
 *
 * @throws UserError if the trace is not here
 */
export async function recordedCrowd(
  given: Experiment,
  { planned, frameworks }: { planned: PlannedTrial; frameworks: Frameworks },
): Promise<CrowdPlan | null> {
  const { probes } = planned;
  const framework = frameworks.get(planned.framework)!;
  if (probes === undefined || !isCrowdRecorded(framework, given)) return null;
  const experiment = fittedTo(given, framework.about, planned);
  const { durations, batching, typing } = experiment;
  const trace = await resolveTrace(experiment.trace);
  const users = usersOf(experiment, { planned, crowd: 'recorded' });
  const key: RecordingKey = {
    framework: planned.framework,
    sources: await sourcesOf(framework),
    first: probes,
    users: planned.users,
    seed: planned.seed,
    trace: sha256Of(JSON.stringify(editsOf(trace))),
    start: sha256Of(await startOf(experiment, trace)),
    typing: { ...typing, writers: writersAmong(users) },
    // One user's batching: the rest of the experiment's batching, which names modes and counts of users, has no further
    // effect.
    batching: batchingOf(batching, { user: probes, users: planned.users, seed: planned.seed }),
    // Those beside them change nothing of what users send.
    network: users.slice(0, planned.users).map(({ link }) => link),
    typingMs: durations.warmUpMs + durations.measureMs + durations.profileMs,
    documentId: documentOf(planned),
  };
  const { usersPerMemory = Number.POSITIVE_INFINITY } = crowdOf(framework.about) ?? {};
  return { key, experiment, planned, memories: Math.ceil((planned.users - probes) / usersPerMemory) };
}

/** The assignments of the crowd's users, as in a trial, and the document's text before typing, which the first of them puts in. */
export async function assignmentsOf({
  experiment,
  planned,
}: CrowdPlan): Promise<{ assignments: Assignment[]; startText: string }> {
  const trace = await resolveTrace(experiment.trace);
  const material = { authors: editsOf(trace), startText: await startOf(experiment, trace) };
  const context = { planned, experiment, serverUrls: [SERVER_URL], pageUrl: SERVER_URL };
  const played = usersOf(experiment, { planned, crowd: 'recorded' }).filter(({ kind }) => kind === 'played');
  const assignments = played.map((user) => assignmentOf(user, editsFor(user, material), context));
  return { assignments, startText: material.startText };
}

/** Digest of all that decides what a framework's users send; it changes with any of it. */
export async function sourcesOf({ root, client, server, packages: set }: Framework): Promise<string> {
  const hash = createHash('sha256').update(process.version.split('.')[0]!);
  const halves = [join(dirname(client), 'about.ts'), client, server];
  const entries = halves.map((path) => relative(root, path).replaceAll('\\', '/'));
  // A tree of sources holds the same as the project, where the rest is.
  const { files, packages } = await reachedFrom([...entries, 'harness/crowd/record-main.ts'], PROJECT_ROOT);
  for (const [file, text] of [...files].sort(byName)) hash.update(`${file}\n`).update(text);
  for (const [name, version] of [...closureOf(packages, await readLock(PROJECT_ROOT))].sort(byName)) {
    hash.update(`${name}@${version}\n`);
  }
  if (set !== null) hash.update(basename(packageFolder(set)));
  return hash.digest('hex');
}

/** The recordings that an experiment needs, and how many of them are to be made: for its plan. */
import { crowdOf } from '../../editors/base/framework.ts';
import { isMade } from '../../infra/process/made-once.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { UserError } from '../../results/user-error.ts';
import { isCrowdRecorded } from '../experiment/company.ts';
import type { TypingExperiment } from '../experiment/experiment-file.ts';
import { estimatePlanMs, makePlan } from '../experiment/plan.ts';
import { formatAbout } from '../experiment/units.ts';
import type { Assignment } from '../trial/protocol.ts';
import { type CrowdPlan, recordedCrowd } from './crowd-plan.ts';
import { recordingFolder } from './recordings.ts';

/** The recordings that trials of an experiment need, by default all, each once. @throws UserError if the trace is not here */
export async function crowdsOf(
  { experiment, frameworks }: TypingExperiment,
  trials: readonly PlannedTrial[] = makePlan(experiment, frameworks),
): Promise<CrowdPlan[]> {
  const plans = new Map<string, CrowdPlan>();
  for (const planned of trials) {
    const plan = await recordedCrowd(experiment, { planned, frameworks });
    if (plan !== null) plans.set(recordingFolder(plan.key), plan);
  }
  return [...plans.values()];
}

const NOT_IN_RECORDINGS = "No recording has cursors, an agent's edits, or a document that was there.";

/** The crowd of each framework of an experiment, and how many recordings are to be made. Nothing if all users are live. */
export async function crowdLines(loaded: TypingExperiment): Promise<string[]> {
  const { probes, users } = loaded.experiment;
  if (probes === 'all') return [];
  const sizes = users.map((count) => count - probes).join(', ');
  const kinds = [...loaded.frameworks.values()].map((framework) => {
    const { name, about } = framework;
    const crowd = crowdOf(about);
    if (isCrowdRecorded(framework, loaded.experiment)) return `  ${name}: played from a recording. ${crowd!.why}`;
    const why = crowd?.kind === 'recorded' ? NOT_IN_RECORDINGS : (crowd?.why ?? '');
    return `  ${name}: live users in Node. ${why}`;
  });
  const first = `probes: ${probes} users of each trial are live; the crowd: ${sizes} users`;
  return [first, ...kinds, ...(await countRecordings(loaded))];
}

async function countRecordings(loaded: TypingExperiment): Promise<string[]> {
  const counts = await recordingsOf(loaded);
  if (counts === null) return ['recordings: not counted, as the trace or a framework is not here'];
  const { all, missing } = counts;
  if (all === 0) return [];
  const counted =
    missing.length === 0
      ? 'all are kept'
      : `${missing.length} to make before their trials, in about ${formatAbout(recordingMs(missing))}, which the time above leaves out`;
  return [`recordings: ${all}; ${counted}`];
}

/** How many recordings trials need, by default all, and those of them that are to be made; null if they cannot be told. */
async function recordingsOf(
  loaded: TypingExperiment,
  trials?: readonly PlannedTrial[],
): Promise<{ all: number; missing: CrowdPlan[] } | null> {
  if (loaded.experiment.frameworks.some((name) => loaded.frameworks.get(name)?.problem !== null)) return null;
  const crowds = await crowdsOf(loaded, trials).catch((error: unknown) => {
    if (error instanceof UserError) return null;
    throw error;
  });
  if (crowds === null) return null;
  return { all: crowds.length, missing: crowds.filter(({ key }) => !isMade(recordingFolder(key))) };
}

/**
 * Recordings that were timed, on a core of November 2026: 110 users of Yjs or Collabs, who gathered their edits; 46 of Collabs, who sent
 * each by itself, of which those of Yjs took half; and 46 of Automerge likewise. Each user takes in the edits of all, while the document
 * grows with the users: so the time grows faster than with their square.
 */
const TIMED = { users: 110, typingMs: 100_000, ms: 102_000, power: 2.4 };
const TIMED_ONE_BY_ONE = { users: 46, typingMs: 70_000, ms: 41_000, power: 2.4 };
const TIMED_SLOW = { users: 46, typingMs: 70_000, ms: 228_000, power: 3 };

/** About how long it takes to record crowds, one after the other, ms. */
export function recordingMs(crowds: readonly Pick<CrowdPlan, 'key' | 'memories'>[]): number {
  return crowds.reduce((sum, { key, memories }) => {
    const { sendMs } = key.batching as Assignment['batching'];
    const fast = sendMs > 0 ? TIMED : TIMED_ONE_BY_ONE;
    const { users, typingMs, ms, power } = memories > 0 ? TIMED_SLOW : fast;
    // Documents that need memories of their own grow with what was typed, and each edit costs the more.
    const typingPower = memories > 0 ? 2 : 1;
    return sum + ms * ((key.users - key.first) / users) ** power * (key.typingMs / typingMs) ** typingPower;
  }, 0);
}

/** About how long trials take, with the crowds that are to be recorded before them, ms. */
export async function estimateTypingMs(typed: TypingExperiment, plan: readonly PlannedTrial[]): Promise<number> {
  const { missing } = (await recordingsOf(typed, plan)) ?? { missing: [] };
  return recordingMs(missing) + estimatePlanMs(typed.experiment, plan);
}

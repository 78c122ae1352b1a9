/** The crowd of a trial: its users who are no probes. A crowd is recorded now if it needs a recording and none is kept. */
import { existsSync } from 'node:fs';
import { crowdOf } from '../../editors/base/framework.ts';
import { findFrameworks } from '../../frameworks/discover.ts';
import type { Frameworks } from '../../frameworks/framework.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { TrialCrowd } from '../trial/trial-users.ts';
import { type CrowdPlan, recordedCrowd } from './crowd-plan.ts';
import { loadOrRecord, type RecordOptions, recordersThatFit, recordingFolder } from './recordings.ts';

/** Progress is told after each such part of the whole. */
const PROGRESS_STEP = 0.1;
/** They take unequal time, so that with one for each core some would wait for the longest. */
const RECORDINGS_PER_CORE = 2;

interface ReadyOptions extends Omit<RecordOptions, 'onProgress'> {
  experiment: Experiment;
  /** The frameworks of the experiment. */
  frameworks: Frameworks;
  planned: PlannedTrial;
  /** The trials after it: no trial may run beside a recording, so theirs are made on the cores that would be idle. */
  upcoming?: readonly PlannedTrial[];
  /** Gets a line now and then while a crowd is being recorded. */
  say: (text: string) => void;
}

/** @throws UserError (2) if the recording that is kept is damaged; Error if the crowd cannot be simulated */
export async function readyCrowd(options: ReadyOptions): Promise<TrialCrowd | undefined> {
  const { experiment, frameworks, planned, keptIn } = options;
  if (planned.probes === undefined) return undefined;
  const plan = await recordedCrowd(experiment, { planned, frameworks });
  if (plan === null) return { kind: 'live' };
  const isKept = existsSync(recordingFolder(plan.key, keptIn));
  const record = (crowd: CrowdPlan) =>
    loadOrRecord(crowd, { ...options, onProgress: recordingProgress(crowd, options.say) });
  if (isKept) await record(plan);
  else await recordTogether([plan, ...(await missingAfter(plan, options))], record);
  options.signal?.throwIfAborted();
  const restsOnOrder = crowdOf(frameworks.get(planned.framework)!.about)?.restsOnOrder;
  return { kind: 'recorded', recording: recordingFolder(plan.key, keptIn), restsOnOrder };
}

/** Resolves when none is being recorded any more. Why one but the first could not be made is told when it is needed. */
async function recordTogether(plans: CrowdPlan[], record: (plan: CrowdPlan) => Promise<unknown>): Promise<void> {
  const [first, ...others] = plans;
  const recordOthers = async () => {
    for (let plan = others.shift(); plan !== undefined; plan = others.shift()) await record(plan).catch(() => {});
  };
  const made = record(first!);
  const [outcome] = await Promise.allSettled([
    made,
    made.then(recordOthers),
    ...Array.from({ length: recordersThatFit() - 1 }, recordOthers),
  ]);
  if (outcome.status === 'rejected') throw outcome.reason;
}

/** Other crowds to record meanwhile: enough to keep the cores busy, but not those of a whole night. */
async function missingAfter(
  plan: CrowdPlan,
  { experiment, frameworks, upcoming = [], keptIn }: ReadyOptions,
): Promise<CrowdPlan[]> {
  const most = RECORDINGS_PER_CORE * recordersThatFit() - 1;
  const known = new Set([recordingFolder(plan.key, keptIn)]);
  const missing: CrowdPlan[] = [];
  for (const planned of upcoming) {
    if (missing.length >= most) break;
    const other = await recordedCrowd(experiment, { planned, frameworks });
    const folder = other && recordingFolder(other.key, keptIn);
    if (folder === null || known.has(folder) || existsSync(folder)) continue;
    known.add(folder);
    missing.push(other!);
  }
  return missing;
}

/** Says now and then how far a recording is. */
export function recordingProgress(
  { key }: CrowdPlan,
  say: (text: string) => void,
): (typedMs: number, typingMs: number) => void {
  const crowd = `recording the crowd of ${key.users - key.first} users of ${key.framework}, seed ${key.seed}`;
  let nextShare = 0;
  return (typedMs, typingMs) => {
    if (typedMs / typingMs < nextShare) return;
    say(`${crowd}: ${Math.floor((100 * typedMs) / typingMs)} %`);
    nextShare += PROGRESS_STEP;
  };
}

/** Which crowd each framework of an experiment has, for the plan; nothing if all users are live. */
export async function crowdLines({ probes, frameworks, users }: Experiment): Promise<string[]> {
  if (probes === 'all') return [];
  const sizes = users.map((count) => count - probes).join(', ');
  const kinds = [...(await findFrameworks(frameworks)).values()].map(({ name, about }) => {
    const crowd = crowdOf(about);
    const how = crowd?.kind === 'recorded' ? 'played from a recording' : 'live users in Node';
    return `  ${name}: ${how}. ${crowd?.why ?? ''}`;
  });
  return [`probes: ${probes} users of each trial are live; the crowd: ${sizes} users`, ...kinds];
}

/**
 * The recordings that are kept: `<work folder>/recordings/<digest of the key>/`. Each is whole, or not there; what a trial needs
 * and is not kept is recorded before it.
 */

import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { crowdOf } from '../../editors/base/framework.ts';
import { admit } from '../../frameworks/admit.ts';
import type { Frameworks } from '../../frameworks/framework.ts';
import { freeMemoryMiB } from '../../infra/machine/container.ts';
import { CalledProcess, ProcessEnded } from '../../infra/process/calls.ts';
import { isMade, madeOnce } from '../../infra/process/made-once.ts';
import { PROJECT_ROOT, WORK_FOLDER } from '../../infra/project.ts';
import { severalAtOnce } from '../../infra/several-at-once.ts';
import { fileReason } from '../../results/file-problem.ts';
import { shortDigestOf } from '../../results/formats/digest.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import { messageOf, Unavailable, UserError } from '../../results/user-error.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { sizeOnDisk } from '../probes/disk.ts';
import type { TrialCrowd } from '../trial/trial-users.ts';
import { type CrowdPlan, recordedCrowd, sourcesOf } from './crowd-plan.ts';
import type { RecordCalls, RecordNews } from './record-main.ts';
import {
  damaged,
  type Recording,
  type RecordingHead,
  type RecordingKey,
  readHead,
  readRecording,
} from './recording.ts';

/** Where recordings are kept: safe to delete, since any can be made again. */
const RECORDINGS_FOLDER: string = join(WORK_FOLDER, 'recordings');
const RECORDER = join(import.meta.dirname, 'record-main.ts');
/** The heap at most of a process that records a crowd. */
const RECORDER_HEAP_MIB = 3072;
/** Its addresses have 32 bits. */
const MOST_WASM_MIB = 4096;
/** Share of that memory above which it counts as full: memory grows by pieces, and the one refused may be large. */
const FULL = 0.9;

/** The crowd is more than a recorder can hold: another attempt would end alike. */
export class RecordingFailed extends Unavailable {
  /** Without advice for a command that ends with it. */
  readonly why: string;

  constructor(why: string, { advice, cause }: { advice?: string; cause?: unknown } = {}) {
    super(advice === undefined ? why : `${why}; ${advice}`, { cause });
    this.why = why;
  }
}

/** Somebody ended the recorder, or the kernel or earlyoom for memory that others may have taken: an accident, if it happens once. */
class RecorderKilled extends Unavailable {}
/** A process that gives up by itself, as when its heap is full, aborts instead. */
const FROM_OUTSIDE: readonly (string | null)[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'];

interface RecordOptions {
  /** Typed of `typingMs`, while it is being recorded; nothing if it is there. */
  onProgress?: (typedMs: number, typingMs: number) => void;
  signal?: AbortSignal;
  /** Where recordings are kept; the work folder's unless given. */
  keptIn?: string;
}

/**
 * The recording of a crowd: the one that is kept, or a new one.
 *
 * @throws UserError (2) if the one that is kept is damaged, or another, (3) if the process that records it is killed, or sources have
 *         changed since the plan was made; RecordingFailed if the crowd cannot be simulated; the file system's error; the signal's reason
 */
export async function loadOrRecord(plan: CrowdPlan, options: RecordOptions = {}): Promise<Recording> {
  const folder = recordingFolder(plan.key, options.keptIn);
  await madeOnce(folder, (partial) => record(plan, partial, options));
  const recording = await readRecording(folder);
  refuseOther(recording, folder);
  return recording;
}

/** Of a folder that somebody copied or renamed: what it holds is not what its name says. */
function refuseOther({ key }: Pick<Recording, 'key'>, folder: string): void {
  if (recordingFolder(key, dirname(folder)) !== folder) throw damaged(folder, 'it holds another recording');
}

/** The number of recordings that can be made at once: one for each core, as far as the memory allows. */
export function recordersThatFit(plans: readonly Pick<CrowdPlan, 'memories'>[]): number {
  const most = RECORDER_HEAP_MIB + Math.max(0, ...plans.map(({ memories }) => memories * MOST_WASM_MIB));
  return Math.max(1, Math.min(availableParallelism(), Math.floor(freeMemoryMiB() / most)));
}

/** Where the recording of this key is kept, or will be. */
export function recordingFolder(key: RecordingKey, keptIn: string = RECORDINGS_FOLDER): string {
  const digest = shortDigestOf(JSON.stringify(key));
  return join(keptIn, `${key.framework}-${key.users - key.first}-${digest}`);
}

const GO_ON = 'finished trials are kept: give the same command again, with --resume if it takes that';

/** Runs `record-main.ts`, which lives on a clock of its own and so needs a process of its own. */
async function record(plan: CrowdPlan, folder: string, { onProgress, signal }: RecordOptions): Promise<void> {
  signal?.throwIfAborted();
  const { framework, users, first, typingMs } = plan.key;
  const problem = `the crowd of ${users - first} users of ${framework} could not be recorded`;
  const recorder = new CalledProcess<RecordCalls, RecordNews>({
    entry: RECORDER,
    nodeOptions: [`--max-old-space-size=${RECORDER_HEAP_MIB}`],
    signal,
    onNews: { typed: (typedMs) => onProgress?.(typedMs, typingMs) },
  });
  try {
    await recorder.call('record', plan, folder);
  } catch (error) {
    signal?.throwIfAborted();
    // A full disk, or one that was taken away, says nothing of the crowd.
    if (fileReason(error) !== null) throw error;
    if (error instanceof UserError) throw new UserError(`${problem}: ${error.message}`, { exitCode: error.exitCode });
    const { message, stack = message, wasmMiB } = error as Error & { wasmMiB?: number };
    if (wasmMiB !== undefined) throw failureOf(problem, { message: stack, wasmMiB });
    if (error instanceof ProcessEnded && FROM_OUTSIDE.includes(error.signal)) {
      throw new RecorderKilled(`${problem}: ${message}`);
    }
    throw new RecordingFailed(`${problem}: ${message}`, { advice: GO_ON });
  } finally {
    // It holds nothing that is to be kept, and may be busy.
    await recorder.kill();
  }
}

/** @param problem beginning of the message */
export function failureOf(problem: string, { message, wasmMiB }: { message: string; wasmMiB: number }): Error {
  if (wasmMiB < FULL * MOST_WASM_MIB) {
    const [why] = message.split('\n');
    const advice = 'take fewer users, or make all of them live (--probes all)';
    return new RecordingFailed(`${problem}: ${why}; ${advice}`, { cause: message });
  }
  const [held, most] = [(wasmMiB / 1024).toFixed(1), MOST_WASM_MIB / 1024];
  return new RecordingFailed(
    `${problem}: a memory of its WebAssembly, which simulated users share, is full: it holds ${held} GiB, of at most ${most}; let them type for a shorter time, or give fewer users one memory (usersPerMemory in the framework’s about.ts)`,
  );
}

export interface KeptRecording {
  folder: string;
  bytes: number;
  /** Why it cannot be used; then there is no head. */
  problem: string | null;
  head: RecordingHead | null;
  /** True if today's sources and packages would make the same recording. */
  isCurrent: boolean;
}

/** The recordings that are kept, by name. @param options.thorough reads them whole, to find what is damaged */
export async function keptRecordings(options: { thorough?: boolean; keptIn?: string } = {}): Promise<KeptRecording[]> {
  const { thorough = false, keptIn = RECORDINGS_FOLDER } = options;
  const names = await readdir(keptIn).catch(() => []);
  const kept: KeptRecording[] = [];
  for (const name of names.filter((file) => !file.endsWith('.partial')).sort()) {
    const folder = join(keptIn, name);
    let bytes = 0;
    try {
      bytes = await sizeOnDisk(folder);
      const head = await readHead(folder);
      refuseOther(head, folder);
      if (thorough) await readRecording(folder);
      kept.push({ folder, bytes, problem: null, head, isCurrent: (await sourcesToday(head)) === head.key.sources });
    } catch (error) {
      kept.push({ folder, bytes, problem: messageOf(error), head: null, isCurrent: false });
    }
  }
  return kept;
}

/** Of the framework that a recording is of; null if it is not here. */
async function sourcesToday({ key }: RecordingHead): Promise<string | null> {
  const framework = await admit(key.framework, { from: PROJECT_ROOT, isDry: true }).catch(() => null);
  return framework?.problem === null ? sourcesOf(framework) : null;
}

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
  /** Trials that may follow: theirs are made on other cores only, begun while this one is made. */
  ahead?: readonly PlannedTrial[];
  /** True: the crowd is live, whatever the framework says. */
  isCrowdLive?: boolean;
  /** Gets a line now and then while a crowd is being recorded. */
  say: (text: string) => void;
}

/** @throws UserError (2) if the recording that is kept is damaged; RecordingFailed if the crowd cannot be recorded */
export async function readyCrowd(options: ReadyOptions): Promise<TrialCrowd | undefined> {
  const { experiment, frameworks, planned, keptIn } = options;
  if (planned.probes === undefined) return undefined;
  const plan = options.isCrowdLive ? null : await recordedCrowd(experiment, { planned, frameworks });
  const { patched, restsOnOrder } = crowdOf(frameworks.get(planned.framework)!.about) ?? {};
  if (plan === null) return { kind: 'live', patched };
  const isKept = isMade(recordingFolder(plan.key, keptIn));
  const record = (crowd: CrowdPlan) =>
    loadOrRecord(crowd, { ...options, onProgress: recordingProgress(crowd, options.say) });
  if (isKept) await record(plan);
  else await recordTogether([plan, ...(await missingAfter(plan, options))], { ...options, record });
  options.signal?.throwIfAborted();
  return { kind: 'recorded', recording: recordingFolder(plan.key, keptIn), restsOnOrder, patched };
}

/**
 * Resolves when none is being recorded any more. Why one but the first could not be made is told when it is needed. If the first one's
 * recorder is killed, another has the memory to itself.
 */
async function recordTogether(
  plans: CrowdPlan[],
  { record, say }: Pick<ReadyOptions, 'say'> & { record: (plan: CrowdPlan) => Promise<unknown> },
): Promise<void> {
  const needed = plans[0]!;
  const all = severalAtOnce<CrowdPlan, unknown>(plans, recordersThatFit(plans), (plan) =>
    plan === needed ? record(plan) : record(plan).catch(() => {}),
  );
  await all.catch(async (error) => {
    if (!(error instanceof RecorderKilled)) throw error;
    say(`note: ${error.message}; it is recorded again, with none beside it`);
    await record(needed).catch((again) => {
      throw again instanceof RecorderKilled ? new RecordingFailed(again.message, { advice: GO_ON }) : again;
    });
  });
}

/** Other crowds to record meanwhile: enough to keep the cores busy, but not those of a whole night. */
async function missingAfter(
  plan: CrowdPlan,
  { experiment, frameworks, upcoming = [], ahead = [], keptIn }: ReadyOptions,
): Promise<CrowdPlan[]> {
  const known = new Set([recordingFolder(plan.key, keptIn)]);
  const missing: CrowdPlan[] = [];
  const recorders = recordersThatFit([plan]);
  const add = async (trials: readonly PlannedTrial[], most: number) => {
    for (const planned of trials) {
      if (missing.length >= most) break;
      const other = await recordedCrowd(experiment, { planned, frameworks });
      const folder = other && recordingFolder(other.key, keptIn);
      if (folder === null || known.has(folder) || isMade(folder)) continue;
      known.add(folder);
      missing.push(other!);
    }
  };
  await add(upcoming, RECORDINGS_PER_CORE * recorders - 1);
  await add(ahead, recorders - 1);
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

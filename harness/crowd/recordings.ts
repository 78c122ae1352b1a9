/** The recordings that are kept: `<work folder>/recordings/<digest of the key>/`. Each is whole, or not there. */
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { availableParallelism, freemem } from 'node:os';
import { join } from 'node:path';
import { findFramework } from '../../frameworks/discover.ts';
import { Child, endText } from '../../infra/process/child.ts';
import { madeOnce } from '../../infra/process/made-once.ts';
import { WORK_FOLDER } from '../../infra/project.ts';
import { messageOf, UserError } from '../../results/user-error.ts';
import { type CrowdPlan, sourcesOf } from './crowd-plan.ts';
import type { RecordOrder, RecordReport } from './record-main.ts';
import { type Recording, type RecordingHead, type RecordingKey, readHead, readRecording } from './recording.ts';

/** Where recordings are kept: safe to delete, since any can be made again. */
export const RECORDINGS_FOLDER: string = join(WORK_FOLDER, 'recordings');
const RECORDER = join(import.meta.dirname, 'record-main.ts');
/** The heap at most of a process that records a crowd. */
const RECORDER_HEAP_MIB = 3072;
/** Its addresses have 32 bits. */
const MOST_WASM_MIB = 4096;
/** Share of that memory above which it counts as full: memory grows by pieces, and the one refused may be large. */
const FULL = 0.9;

export interface RecordOptions {
  /** Typed of `typingMs`, while it is being recorded; nothing if it is there. */
  onProgress?: (typedMs: number, typingMs: number) => void;
  signal?: AbortSignal;
  /** Where recordings are kept; the work folder's unless given. */
  keptIn?: string;
}

/**
 * The recording of a crowd: the one that is kept, or a new one.
 *
 * @throws UserError (2) if the one that is kept is damaged, (3) if the process that records it is killed; Error if the
 *         crowd cannot be simulated; the signal's reason
 */
export async function loadOrRecord(plan: CrowdPlan, options: RecordOptions = {}): Promise<Recording> {
  const folder = recordingFolder(plan.key, options.keptIn);
  await madeOnce(folder, (partial) => record(plan, partial, options));
  return readRecording(folder);
}

/** The number of recordings that can be made at once: one for each core, as far as the memory allows. */
export function recordersThatFit(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(freemem() / (RECORDER_HEAP_MIB * 2 ** 20))));
}

/** Where the recording of this key is kept, or will be. */
export function recordingFolder(key: RecordingKey, keptIn: string = RECORDINGS_FOLDER): string {
  const digest = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 16);
  return join(keptIn, `${key.framework}-${key.users - key.first}-${digest}`);
}

/** Runs `record-main.ts`, which lives on a clock of its own and so needs a process of its own. */
async function record(plan: CrowdPlan, folder: string, { onProgress, signal }: RecordOptions): Promise<void> {
  signal?.throwIfAborted();
  const { framework, users, first, typingMs } = plan.key;
  const problem = `the crowd of ${users - first} users of ${framework} could not be recorded`;
  const recorder = new Child({
    command: [process.execPath, `--max-old-space-size=${RECORDER_HEAP_MIB}`, RECORDER],
    hasChannel: true,
  });
  // It holds nothing that is to be kept, and may be busy.
  const kill = () => recorder.kill();
  signal?.addEventListener('abort', kill);
  let report = null as RecordReport | null;
  recorder.process.on('message', (message: RecordReport) => {
    if (message.type === 'progress') onProgress?.(message.typedMs, typingMs);
    else report = message;
  });
  recorder.process.send({ plan, folder } satisfies RecordOrder, () => {});
  const end = await recorder.ended.finally(() => signal?.removeEventListener('abort', kill));
  signal?.throwIfAborted();
  if (report?.type === 'written') return;
  if (report?.type === 'failed') throw failureOf(problem, report);
  const advice = 'finished trials are kept: go on with --resume';
  throw new UserError(`${problem}: the process that recorded it ${endText(end)}; ${advice}`, { exitCode: 3 });
}

/** @param problem beginning of the message */
export function failureOf(problem: string, { message, wasmMiB }: { message: string; wasmMiB: number }): Error {
  if (wasmMiB < FULL * MOST_WASM_MIB) return new Error(`${problem}: ${message}`);
  const [held, most] = [(wasmMiB / 1024).toFixed(1), MOST_WASM_MIB / 1024];
  return new UserError(
    `${problem}: the memory of its WebAssembly, which all simulated users share, is full: it holds ${held} GiB, of at most ${most}; take fewer users, or let them type for a shorter time`,
    { exitCode: 3 },
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
    const bytes = await bytesIn(folder);
    try {
      const head = await readHead(folder);
      if (thorough) await readRecording(folder);
      const isCurrent = (await findFramework(head.key.framework).then(sourcesOf, () => null)) === head.key.sources;
      kept.push({ folder, bytes, problem: null, head, isCurrent });
    } catch (error) {
      kept.push({ folder, bytes, problem: messageOf(error), head: null, isCurrent: false });
    }
  }
  return kept;
}

async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

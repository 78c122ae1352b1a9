/**
 * A process that measures: each trial has one of its own, so that nothing of the trial before is left in memory. It prints
 * lines of the record on stdout, and ends with 0.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { countMemoryKills, memoryKillSince } from '../infra/machine/memory-kills.ts';
import { untilGroupEnds } from '../infra/process/process-group.ts';
import { tether } from '../infra/process/tether.ts';
import { type RecordLine, recordSchema } from '../results/formats/records.ts';
import { SubjectFailure } from './scenario.ts';

/** How much of a process's last words is kept for a message. */
const LAST_WORDS_CHARACTERS = 2000;
/** How long what it started may take to end. */
const GRACE_MS = 2000;
/** What V8 says where its heap's limit is reached. */
const OUT_OF_HEAP = /JavaScript heap out of memory|Reached heap limit/;

/** For the process that measures: hands lines to whoever started it. */
export function printLines(...lines: RecordLine[]): void {
  process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** For the process that measures: a failure of what it measures is a line of the record; any other error ends it. */
export async function measureAndPrint(measure: () => Promise<void>): Promise<void> {
  try {
    await measure();
  } catch (error) {
    if (!(error instanceof SubjectFailure)) throw error;
    printLines({ type: 'failure', code: error.code, message: error.message });
  }
}

/**
 * Runs it to its end.
 *
 * @param options.command the program and its arguments
 * @param options.limitMs what takes longer is ended, and has failed
 * @param options.write   gets the lines that it prints
 * @throws SubjectFailure `out-of-time` or `out-of-memory`, Error with its last words where it ended badly, and the signal's
 *         reason where that aborts
 */
export async function runMeasuringProcess(options: {
  command: readonly string[];
  limitMs: number;
  write: (line: RecordLine) => void;
  signal: AbortSignal;
}): Promise<void> {
  const { command, limitMs, write, signal } = options;
  signal.throwIfAborted();
  const memoryKills = countMemoryKills();
  const [program, ...rest] = command;
  // A group of its own: Ctrl-C reaches the harness only, which then ends all in order.
  const child = spawn(program!, rest, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  // It may be busy for a minute without a look at what goes on around it.
  const release = child.pid === undefined ? () => {} : tether(child.pid);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-LAST_WORDS_CHARACTERS);
  });
  let unreadable: Error | null = null;
  const reader = createInterface({ input: child.stdout });
  const read = new Promise((resolve) => reader.once('close', resolve));
  reader.on('line', (line) => {
    try {
      write(recordSchema.parse(JSON.parse(line)));
    } catch (cause) {
      unreadable ??= new Error(`the process that measures printed what is no line of a record: ${line.slice(0, 200)}`, {
        cause,
      });
    }
  });
  let isLate = false;
  const kill = () => child.kill('SIGKILL');
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, limitMs);
  signal.addEventListener('abort', kill);
  const [code, killedBy] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, by) => resolve([code, by]));
  }).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    release();
  });
  await read;
  if (child.pid !== undefined) await untilGroupEnds(child.pid, GRACE_MS);
  signal.throwIfAborted();
  if (isLate) throw new SubjectFailure('out-of-time', `it was not done after ${limitMs / 1000} s`);
  if (OUT_OF_HEAP.test(said)) throw new SubjectFailure('out-of-memory', 'it took more memory than JavaScript may have');
  const memory = killedBy === 'SIGKILL' ? memoryKillSince(memoryKills) : '';
  if (memory !== '') throw new SubjectFailure('out-of-memory', `it was killed${memory}`);
  if (code === 0 && unreadable !== null) throw unreadable;
  if (code === 0) return;
  // Of one that was killed the last line may be half a line.
  const how = killedBy === null ? `with exit code ${code}` : `by ${killedBy}`;
  throw new Error(`the process that measures ended ${how}${said === '' ? '' : `:\n${said.trim()}`}`);
}

/**
 * Starts a process that measures: each trial has one of its own, so that nothing of the trial before is left in memory. It prints
 * lines of the record on stdout (see measurement.ts), and ends with 0.
 */
import { badEnd, byLine, Child, nodeCommand } from '../infra/process/child.ts';
import { type RecordLine, recordSchema } from '../results/formats/records.ts';
import { SubjectFailure } from './scenario.ts';

/** Messages of V8 at its heap's limit. */
const OUT_OF_HEAP = /JavaScript heap out of memory|Reached heap limit/;

/**
 * The command of a program that calls `measureTask`.
 *
 * @param heapMiB limit of JavaScript's heap; Node's own unless given
 */
export function measuringCommand(main: string, task: unknown, { heapMiB }: { heapMiB?: number } = {}): string[] {
  const [node, ...rest] = nodeCommand(main, JSON.stringify(task));
  // V8 drops bytecode that was not run for some collections: megabytes that would be taken off the document's heap.
  return [
    node!,
    '--expose-gc',
    '--no-flush-bytecode',
    ...(heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`]),
    ...rest,
  ];
}

export interface MeasuringProcess {
  /** The program and its arguments. */
  command: readonly string[];
  /** A process that takes longer is ended, and has failed. */
  limitMs: number;
  /** Gets the lines that it prints. */
  write(line: RecordLine): void;
  signal: AbortSignal;
}

/**
 * Runs it to its end.
 *
 * @throws SubjectFailure `out-of-time` or `out-of-memory`, Error with its last words if it ended badly, and the signal's
 *         reason if that aborts
 */
export async function runMeasuringProcess({ command, limitMs, write, signal }: MeasuringProcess): Promise<void> {
  signal.throwIfAborted();
  let unreadable: Error | null = null;
  const read = byLine((line) => {
    try {
      write(recordSchema.parse(JSON.parse(line)));
    } catch (cause) {
      unreadable ??= new Error(`the process that measures printed what is no line of a record: ${line.slice(0, 200)}`, {
        cause,
      });
    }
  });
  const child = new Child({ command, limitMs, onOutput: read });
  // It holds nothing that it should hand in.
  const kill = () => child.kill();
  signal.addEventListener('abort', kill);
  const end = await child.ended.finally(() => signal.removeEventListener('abort', kill));
  read();
  signal.throwIfAborted();
  if (child.startError !== null) throw child.startError;
  if (child.isLate) throw new SubjectFailure('out-of-time', `it was not done after ${limitMs / 1000} s`);
  if (OUT_OF_HEAP.test(end.lastWords)) {
    throw new SubjectFailure('out-of-memory', 'it took more memory than JavaScript may have');
  }
  if (end.memory) throw new SubjectFailure('out-of-memory', `it was killed${end.memory}`);
  if (end.code === 0 && unreadable !== null) throw unreadable;
  // Of one that was killed the last line may be half a line.
  const problem = badEnd(end);
  if (problem !== null) throw new Error(`the process that measures ${problem}`);
}

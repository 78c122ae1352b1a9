/** Trials of one number whose engines take turns: one process measures all of them, and each trial has the lines of its engine. */
import { join } from 'node:path';
import type { RecordLine } from '../../results/formats/records.ts';
import { measuringCommand, runMeasuringProcess } from '../measuring-process.ts';
import type { InTurnsTask } from './in-turns.ts';

const MAIN = join(import.meta.dirname, 'in-turns-main.ts');

export class TrialsInTurns {
  readonly #measured = new Map<number, Promise<ReadonlyMap<string, RecordLine[]>>>();

  /**
   * The lines of one engine's trial. The first trial that asks starts the process.
   *
   * @param seed of all trials of that number
   * @throws Error if the process ended badly: nobody knows whose fault that is
   */
  async linesOf(
    engine: string,
    { seed, ...options }: { seed: number; task: InTurnsTask; limitMs: number; signal: AbortSignal },
  ): Promise<RecordLine[]> {
    const measured = this.#measured.get(seed) ?? measure(options);
    this.#measured.set(seed, measured);
    return (await measured).get(engine)!;
  }
}

async function measure(options: {
  task: InTurnsTask;
  limitMs: number;
  signal: AbortSignal;
}): Promise<ReadonlyMap<string, RecordLine[]>> {
  const { task, limitMs, signal } = options;
  const lines = new Map<string, RecordLine[]>();
  const printed: RecordLine[] = [];
  try {
    await runMeasuringProcess({
      ...{ command: measuringCommand(MAIN, task), limitMs, signal },
      write: (line) => printed.push(line),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`the process of ${task.engines.join(' and ')}: ${(error as Error).message}`, { cause: error });
  }
  let current: RecordLine[] = [];
  for (const line of printed) {
    if (line.type === 'subject') {
      current = [];
      lines.set(String(line.of.engine), current);
    } else current.push(line);
  }
  return lines;
}

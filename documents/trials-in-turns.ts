/** Trials of one number whose subjects take turns: one process measures all of them, and each trial has the lines of its subject. */
import { lookAround } from '../harness/machine/surroundings.ts';
import type { RecordLine } from '../results/formats/records.ts';
import { runMeasuringProcess } from './measuring-process.ts';
import { SubjectFailure } from './scenario.ts';

/** The process of all subjects, which prints by `printSides`. */
interface Together {
  command: readonly string[];
  subjects: readonly string[];
  limitMs: number;
  signal: AbortSignal;
}

export class TrialsInTurns {
  readonly #measured = new Map<string, Promise<ReadonlyMap<string, RecordLine[]>>>();
  readonly #say: (text: string) => void;

  /** @param say as of `lookAround` */
  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  /**
   * The lines of one subject's trial. The first trial that asks starts the process; the surroundings then are all the trials'.
   *
   * @param options.seed of all trials of that number
   * @throws SubjectFailure if it is alone and was out of time or memory; of several in one process nobody knows whose fault
   *         that is, so that is an Error, as is a process that ended badly
   */
  async linesOf(subject: string, { seed, ...together }: Together & { seed: number }): Promise<RecordLine[]> {
    const key = [seed, ...together.subjects].join(' ');
    const measured = this.#measured.get(key) ?? measure(together, this.#say);
    this.#measured.set(key, measured);
    return (await measured).get(subject)!;
  }
}

async function measure(
  { subjects, ...process }: Together,
  say: (text: string) => void,
): Promise<ReadonlyMap<string, RecordLine[]>> {
  const lines = new Map<string, RecordLine[]>();
  const printed: RecordLine[] = [];
  const before = await lookAround({ say });
  try {
    await runMeasuringProcess({ ...process, write: (line) => printed.push(line) });
  } catch (error) {
    process.signal.throwIfAborted();
    if (subjects.length === 1 && error instanceof SubjectFailure) throw error;
    throw new Error(`the process of ${subjects.join(' and ')}: ${(error as Error).message}`, { cause: error });
  }
  const after = await lookAround({ say });
  let current: RecordLine[] = [];
  for (const line of printed) {
    if (line.type === 'subject') {
      current = [before, after];
      lines.set(String(line.of.engine), current);
    } else current.push(line);
  }
  return lines;
}

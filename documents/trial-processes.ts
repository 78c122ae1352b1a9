/** The processes of one trial that others call: with one that is lost, all end. */
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import type { Callable, ThrownError } from '../infra/process/answers.ts';
import { type CalledOptions, CalledProcess } from '../infra/process/calls.ts';
import { childEnvironment } from '../infra/process/environment.ts';
import { SubjectFailure } from './scenario.ts';

export class TrialProcesses {
  /** Aborts if the trial is to end: from outside, or with the error that says which process ended. */
  readonly signal: AbortSignal;
  readonly #folder: string;
  readonly #lost = new AbortController();
  readonly #all: { end(): Promise<void> }[] = [];

  /** @param options.folder files that the processes leave behind, such as Chrome's profiles, lie in it */
  constructor({ folder, signal }: { folder: string; signal: AbortSignal }) {
    this.#folder = folder;
    this.signal = AbortSignal.any([signal, this.#lost.signal]);
    // Each process listens to it.
    setMaxListeners(0, this.signal);
  }

  /**
   * Starts a process that calls `answerCalls`.
   *
   * @param entry   its module, from this folder on
   * @param errorOf the trial's error if it ends, of the way it ended
   * @param onNews  gets what it tells
   */
  launch<Calls extends Callable<Calls>, News = object>(
    entry: string,
    errorOf: (how: string) => Error,
    onNews?: CalledOptions<News>['onNews'],
  ): CalledProcess<Calls, News> {
    const launched = new CalledProcess<Calls, News>({
      entry: join(import.meta.dirname, entry),
      environment: { ...childEnvironment(), TMPDIR: this.#folder },
      revive,
      signal: this.signal,
      onNews,
      onLost: (how) => this.lose(errorOf(how)),
    });
    this.#all.push(launched);
    return launched;
  }

  /** Ends the trial with this error. */
  lose(error: Error): void {
    this.#lost.abort(error);
  }

  /** Does something with them, and with what else ends like them; nothing is left of any when it settles. */
  async during<T>(work: () => Promise<T>, others: readonly { stop(): Promise<unknown> }[] = []): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // A call that was given up only says so; what ended the trial says why.
      this.signal.throwIfAborted();
      throw error;
    } finally {
      await Promise.all([...others.map((other) => other.stop()), ...this.#all.map((process) => process.end())]);
    }
  }
}

/** A failure of what is measured stays one on its way here. */
function revive({ kind, code, message }: ThrownError): Error | null {
  return kind === SubjectFailure.name && code !== undefined ? new SubjectFailure(code, message) : null;
}

/** How long filling documents, and joining one before what is measured, may take each. */
export const PREPARE_LIMIT_MS = 300_000;

/** Also ends the wait for a process that is too busy to keep to a limit. @throws SubjectFailure if it takes longer */
export function prepared<T>(work: Promise<T>, limitMs = PREPARE_LIMIT_MS): Promise<T> {
  const late = `its document was not filled, or its users had not joined, after ${limitMs / 1000} s`;
  return withLimit(work, limitMs, () => new SubjectFailure('out-of-time', late));
}

/** @throws the error of `late`, if the work takes longer */
export async function withLimit<T>(work: Promise<T>, limitMs: number, late: () => Error | Promise<Error>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(async () => reject(await late()), limitMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

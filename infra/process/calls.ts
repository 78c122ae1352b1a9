/**
 * Typed calls to a child process, over Node's own channel between the two, and news from it. When that channel ends, for whatever
 * reason, so does the process.
 */
import { UserError } from '../../results/user-error.ts';
import type { Answer, Call, Callable, NewsItem, ThrownError } from './answers.ts';
import { badEnd, Child, type ChildOptions, nodeCommand } from './child.ts';

/** How long a process may take to end by itself before it is killed; Chrome has 3 s for that. */
const GRACE_MS = 6000;

export interface CalledOptions<News> extends Pick<ChildOptions, 'environment'> {
  /** The file that it runs, which calls `answerCalls` of `answers.ts`. */
  entry: string;
  arguments?: readonly string[];
  /** Of Node, such as `--max-old-space-size=3072`. */
  nodeOptions?: readonly string[];
  /** Calls that are under way when it aborts are given up; the process itself goes on. */
  signal?: AbortSignal;
  /** Gets each piece of news from it. */
  onNews?: { [Name in keyof News]: (value: News[Name]) => void };
  /** Is told of an end that nobody asked for, as what follows its name in a sentence. */
  onLost?: (how: string) => void;
  /** Makes an error that was thrown there what it was; null: an Error. A UserError is one without it. */
  revive?: (error: ThrownError) => Error | null;
}

/** It ended before it answered. */
export class ProcessEnded extends Error {
  /** That ended it, such as SIGKILL; null: none did. */
  readonly signal: string | null;
  constructor(how: string, signal: string | null) {
    super(`the process ${how}`);
    this.signal = signal;
  }
}

export class CalledProcess<Calls extends Callable<Calls>, News = object> {
  readonly #child: Child;
  readonly #options: CalledOptions<News>;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #calls = 0;
  #isEnding = false;
  #lost: Error | null = null;

  constructor(options: CalledOptions<News>) {
    const { entry, nodeOptions = [], arguments: rest = [], environment, signal } = options;
    this.#options = options;
    const [node, ...file] = nodeCommand(entry, ...rest);
    this.#child = new Child({ command: [node!, ...nodeOptions, ...file], environment, hasChannel: true });
    this.#child.process.on('message', (message: Answer | NewsItem) => {
      if ('news' in message) this.#options.onNews?.[message.news as keyof News]?.(message.value as News[keyof News]);
      else this.#settle(message);
    });
    const onAbort = () => this.#giveUp(signal!.reason);
    signal?.addEventListener('abort', onAbort);
    this.#child.ended.then((end) => {
      signal?.removeEventListener('abort', onAbort);
      const how = badEnd(end) ?? 'ended too early';
      this.#lost = new ProcessEnded(how, end.signal);
      this.#giveUp(this.#lost);
      if (!this.#isEnding) options.onLost?.(how);
    });
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** @throws the error of the call, a ProcessEnded if the process ended, and the signal's reason if that aborts */
  call<Name extends keyof Calls & string>(
    name: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>> {
    this.#options.signal?.throwIfAborted();
    if (this.#lost !== null) return Promise.reject(this.#lost);
    const answer = Promise.withResolvers<unknown>();
    const call: Call = { id: this.#calls++, name, args };
    this.#waiting.set(call.id, answer);
    // A process that cannot be sent anything has ended, or ends.
    this.#child.process.send(call, () => {});
    return answer.promise as Promise<never>;
  }

  /** Ends the process, by force if it does not end by itself; resolves once it is gone, with all that it started. */
  async end(graceMs: number = GRACE_MS): Promise<void> {
    this.#isEnding = true;
    if (this.#child.process.connected) this.#child.process.disconnect();
    await this.#child.endWithin(graceMs);
  }

  /** Ends it as by a crash. */
  async kill(): Promise<void> {
    this.#isEnding = true;
    this.#child.kill();
    await this.#child.ended;
  }

  #settle({ id, value, error }: Answer): void {
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) call?.resolve(value);
    else call?.reject(this.#options.revive?.(error) ?? revived(error));
  }

  #giveUp(reason: unknown): void {
    for (const call of this.#waiting.values()) call.reject(reason);
    this.#waiting.clear();
  }
}

function revived({ kind: _, exitCode, ...error }: ThrownError): Error {
  const there = exitCode === undefined ? new Error(error.message) : new UserError(error.message, { exitCode });
  return Object.assign(there, error);
}

/** A worker that waits to be called, as its caller sees it: it gets files and one job, and hands in the job's files. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Channel, openChannel } from '../channel/channel.ts';
import { type ReceivedFiles, receiveFiles, sendFile } from '../channel/files.ts';
import { Unsealed } from '../channel/seal.ts';
import { badEnd } from '../process/child.ts';
import { type MessageToDispatcher, type MessageToWorker, messageToDispatcher } from './protocol.ts';

/** One of several tries. */
const HANDSHAKE_LIMIT_MS = 10_000;
const CALL_PERIOD_MS = 1000;

export interface CalledJob {
  /** The Node entry file, relative to the project's root. `{folder}` in what follows is the job's folder. */
  entry: string;
  arguments: string[];
  environment: Record<string, string>;
  /** Put into its folder before it starts, by their paths there. */
  files: readonly { path: string; content: Uint8Array }[];
}

/**
 * Calls until the worker answers.
 *
 * @param options.url     `ws://address:port`
 * @param options.limitMs how long it may take
 * @throws Error that says why it cannot be reached (at once if it has another token), and the signal's reason if it aborts before
 */
export async function callWorker(options: {
  url: string;
  token: string;
  limitMs: number;
  signal: AbortSignal;
}): Promise<CalledWorker> {
  const { limitMs, signal } = options;
  const giveUpMs = performance.now() + limitMs;
  while (true) {
    try {
      const calling = { ...options, isSealed: true, schema: messageToDispatcher, handshakeLimitMs: HANDSHAKE_LIMIT_MS };
      return new CalledWorker(await openChannel(calling));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Unsealed || performance.now() > giveUpMs) throw error;
    }
    await sleep(CALL_PERIOD_MS, undefined, { signal }).catch(() => {});
  }
}

export class CalledWorker {
  /** Gets each message of the job, in order; an error that it throws ends the connection. */
  onSaid: (value: unknown) => void | Promise<void> = () => {};
  readonly #channel: Channel<MessageToDispatcher, MessageToWorker>;
  readonly #over = new AbortController();
  #files: ReceivedFiles | null = null;

  constructor(channel: Channel<MessageToDispatcher, MessageToWorker>) {
    this.#channel = channel;
    channel.receive({
      onMessage: (message) => this.#hear(message),
      onBytes: (bytes) => this.#expected().write(bytes),
    });
    channel.ended.addEventListener('abort', () => {
      // A file that cannot be closed says no more than the lost connection does.
      this.#files?.abandon().catch(() => {});
      this.#end((channel.ended.reason as Error).message);
    });
  }

  /** Aborts when job or connection has ended, with an Error that says how. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Puts files that the job hands in from now on into a folder; before the first call none is expected. */
  receiveInto(directory: string): void {
    this.#files = receiveFiles(directory);
  }

  async run({ files, ...order }: CalledJob): Promise<void> {
    for (const { path, content } of files) await sendFile(this.#channel, path, content);
    this.#channel.send({ type: 'job', job: 0, ...order });
  }

  /** Tells the job something. */
  answer(value: unknown): void {
    this.#channel.send({ type: 'answer', value });
  }

  /** Tells the worker that the run is over: it ends, and its job before. */
  dismiss(): void {
    this.#channel.send({ type: 'over' });
  }

  #hear(message: MessageToDispatcher): void | Promise<void> {
    switch (message.type) {
      case 'said':
        return this.onSaid(message.value);
      case 'file':
        return this.#expected().begin(message.path, message.bytes);
      case 'leaving':
        return this.#end(`it was told to end (${message.why})`);
      case 'ended':
        return this.#end(badEnd(message) ?? 'it ended');
      case 'hello':
    }
  }

  #expected(): ReceivedFiles {
    if (this.#files === null) throw new Error('a file came that nobody had asked for');
    return this.#files;
  }

  #end(how: string): void {
    this.#over.abort(new Error(how));
  }
}

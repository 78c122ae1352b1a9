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

export type CalledWorker = ReturnType<typeof calledWorker>;

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
      return calledWorker(await openChannel(calling));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Unsealed || performance.now() > giveUpMs) throw error;
    }
    await sleep(CALL_PERIOD_MS, undefined, { signal }).catch(() => {});
  }
}

/** The other end of a channel that was opened. */
function calledWorker(channel: Channel<MessageToDispatcher, MessageToWorker>) {
  const over = new AbortController();
  const end = (how: string) => over.abort(new Error(how));
  let files: ReceivedFiles | null = null;
  const expected = () => {
    if (files === null) throw new Error('a file came that nobody had asked for');
    return files;
  };
  const worker = {
    /** Gets each message of the job, in order; an error that it throws ends the connection. */
    onSaid: (_value: unknown): void | Promise<void> => {},
    /** Aborts when job or connection has ended, with an Error that says how. */
    over: over.signal,
    /** Puts files that the job hands in from now on into a folder; before the first call none is expected. */
    receiveInto(directory: string): void {
      files = receiveFiles(directory);
    },
    async run({ files: given, ...order }: CalledJob): Promise<void> {
      for (const { path, content } of given) await sendFile(channel, path, content);
      channel.send({ type: 'job', job: 0, ...order });
    },
    /** Tells the job something. */
    answer: (value: unknown) => channel.send({ type: 'answer', value }),
    /** Tells the worker that the run is over: it ends, and its job before. */
    dismiss: () => channel.send({ type: 'over' }),
  };
  const hear = (message: MessageToDispatcher): void | Promise<void> => {
    switch (message.type) {
      case 'said':
        return worker.onSaid(message.value);
      case 'file':
        return expected().begin(message.path, message.bytes);
      case 'leaving':
        return end(`it was told to end (${message.why})`);
      case 'ended':
        return end(badEnd(message) ?? 'it ended');
      case 'hello':
    }
  };
  channel.receive({ onMessage: hear, onBytes: (bytes) => expected().write(bytes) });
  channel.ended.addEventListener('abort', () => {
    // A file that cannot be closed says no more than the lost connection does.
    files?.abandon().catch(() => {});
    end((channel.ended.reason as Error).message);
  });
  return worker;
}

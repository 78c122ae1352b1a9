/** The person's side of a run whose coordinator is elsewhere: begins it, has trials run, takes their files. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from '../../infra/channel/channel.ts';
import { openChannel } from '../../infra/channel/open-channel.ts';
import { Changes } from '../../infra/process/changes.ts';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { UserError } from '../../results/user-error.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { TrialObserver } from '../trial/trial-options.ts';
import { type ReceivedFiles, receiveFiles } from './received-files.ts';
import {
  LARGEST_MESSAGE_BYTES,
  type MessageFromRemote,
  type MessageToRemote,
  messageFromRemote,
} from './steering-protocol.ts';

/** A container that runs listens within seconds; its page is built in its image. */
const CONNECT_LIMIT_MS = 60_000;
/** One of several tries within that. */
const HANDSHAKE_LIMIT_MS = 10_000;
const CONNECT_PERIOD_MS = 1000;
const READY_LIMIT_MS = 120_000;

export type RemoteOutcome =
  | { kind: 'judged'; verdict: Verdict; lost: string[] }
  /** It could not begin, for want of containers. */
  | { kind: 'shortfall'; text: string };

type Answer = Extract<MessageFromRemote, { type: 'ready' | 'verdict' | 'shortfall' | 'failed' }>;
type SteeringChannel = Channel<MessageFromRemote, MessageToRemote>;

interface RemoteCoordinatorOptions {
  /** Where users reach it. */
  publicAddress: string;
  observer: TrialObserver;
  signal: AbortSignal;
}

/**
 * @param options.url   `ws://address:port`
 * @param options.trace as it lies in the cache; null: the synthetic one, which every machine makes for itself
 * @throws UserError (3) where it cannot be reached or readied
 */
export async function connectRemoteCoordinator(
  options: RemoteCoordinatorOptions & {
    url: string;
    token: string;
    experiment: Experiment;
    trace: Uint8Array | null;
  },
): Promise<RemoteCoordinator> {
  const coordinator = new RemoteCoordinator(await connect(options), options);
  await coordinator.begin(options.experiment, options.trace);
  return coordinator;
}

export class RemoteCoordinator {
  readonly #channel: SteeringChannel;
  readonly #options: RemoteCoordinatorOptions;
  readonly #answered = new Changes();
  #answer: Answer | null = null;
  #files: ReceivedFiles | null = null;
  #ready: Extract<Answer, { type: 'ready' }> | null = null;

  constructor(channel: SteeringChannel, options: RemoteCoordinatorOptions) {
    this.#channel = channel;
    this.#options = options;
    channel.receive({
      onMessage: (message) => this.#hear(message),
      onBytes: (bytes) => this.#expectedFiles().write(bytes),
    });
  }

  get environment(): Record<string, unknown> {
    return this.#ready!.environment;
  }

  /** What its image was built from. */
  get image(): { fingerprint: string; layer: string | null } {
    const { fingerprint, layer } = this.#ready!;
    return { fingerprint, layer };
  }

  /** Says what the run is, and waits until all is ready for its trials. */
  async begin(experiment: Experiment, trace: Uint8Array | null): Promise<void> {
    const { publicAddress } = this.#options;
    const traceBytes = trace?.length ?? null;
    const answer = this.#ask({ type: 'begin', experiment, traceBytes, publicAddress }, READY_LIMIT_MS);
    // Awaited below; while the trace is on its way, an end is no unhandled one.
    answer.catch(() => {});
    if (trace !== null) await this.#channel.sendBytes(trace).catch(() => {});
    const ready = await answer.catch((error) => {
      this.#channel.close();
      throw error;
    });
    if (ready.type !== 'ready') throw new Error(`the coordinator answered "${ready.type}" before it was ready`);
    this.#ready = ready;
  }

  /**
   * @throws UserError (3) where the connection is lost or the coordinator fails, the signal's reason where it aborts
   */
  async runTrial(planned: PlannedTrial, directory: string): Promise<RemoteOutcome> {
    const { signal } = this.#options;
    this.#files = receiveFiles(directory);
    const onAbort = () => this.#channel.send({ type: 'interrupt' });
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const answer = await this.#ask({ type: 'trial', planned });
      if (answer.type === 'shortfall') return { kind: 'shortfall', text: answer.text };
      if (answer.type !== 'verdict') throw new Error(`the coordinator answered "${answer.type}" to a trial`);
      return { kind: 'judged', verdict: answer.verdict, lost: answer.lost };
    } finally {
      this.#files = null;
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Says that the run is over. */
  close(): void {
    this.#channel.send({ type: 'over' });
    this.#channel.close();
  }

  #hear(message: MessageFromRemote): void | Promise<void> {
    switch (message.type) {
      case 'phase':
        return this.#options.observer.onPhase(message.phase, message.endsAtMs);
      case 'records':
        return this.#options.observer.onRecords(message.user, message.lines);
      case 'file':
        return this.#expectedFiles().begin(message.path, message.bytes);
      default:
        this.#answer = message;
        this.#answered.happened();
    }
  }

  #expectedFiles(): ReceivedFiles {
    if (this.#files === null) throw new Error('a file came that nobody had asked for');
    return this.#files;
  }

  /** Resolves with the answer to this; whatever ends the wait for it is an error. */
  async #ask(question: MessageToRemote, limitMs?: number): Promise<Answer> {
    const { publicAddress, signal } = this.#options;
    this.#answer = null;
    this.#channel.send(question);
    const limit = limitMs === undefined ? null : AbortSignal.timeout(limitMs);
    const ends = AbortSignal.any([this.#channel.ended, signal, ...(limit === null ? [] : [limit])]);
    await this.#answered
      .until(() => this.#answer !== null, ends)
      .catch(() => {
        if (signal.aborted) throw signal.reason;
        const why = limit?.aborted ? 'it does not answer' : (this.#channel.ended.reason as Error).message;
        throw new UserError(
          `the coordinator at ${publicAddress} is lost: ${why}. Finished trials are kept; --resume goes on with the others`,
          { exitCode: 3 },
        );
      });
    const answer = this.#answer as unknown as Answer;
    if (answer.type !== 'failed') return answer;
    throw new UserError(`the coordinator at ${publicAddress} failed: ${answer.text}`, { exitCode: 3 });
  }
}

/** Tries until somebody listens there and lets this machine in. */
async function connect(options: { url: string; token: string; signal: AbortSignal }): Promise<SteeringChannel> {
  const { url, signal } = options;
  const giveUpMs = performance.now() + CONNECT_LIMIT_MS;
  while (true) {
    try {
      return await openChannel({
        ...options,
        schema: messageFromRemote,
        maxMessageBytes: LARGEST_MESSAGE_BYTES,
        handshakeLimitMs: HANDSHAKE_LIMIT_MS,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (performance.now() > giveUpMs) {
        throw new UserError(
          `the coordinator at ${new URL(url).host} cannot be reached (${(error as Error).message}). Only one address is let in: is this machine's still the same, and does its network let such connections out? "fleet.fargate.reachedFrom" sets it`,
          { exitCode: 3 },
        );
      }
    }
    await sleep(CONNECT_PERIOD_MS, undefined, { signal }).catch(() => {});
  }
}

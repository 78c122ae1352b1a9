/** The person's side of the connection to a coordinator elsewhere: begins, has trials run, takes their files. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { PlannedTrial } from '../../results/formats/run-directory.ts';
import type { Verdict } from '../../results/formats/verdict.ts';
import { UserError } from '../../results/user-error.ts';
import type { Experiment } from '../experiment/experiment.ts';
import type { RunnerOptions } from '../runner.ts';
import { holdLink, LARGEST_FRAME_BYTES, type Link } from './link.ts';
import { type MessageFromRemote, type MessageToRemote, messageFromRemote } from './link-protocol.ts';
import { type ReceivedFiles, receiveFiles } from './received-files.ts';

/** A container that runs listens within seconds; its page is built in its image. */
const CONNECT_LIMIT_MS = 60_000;
const CONNECT_PERIOD_MS = 1000;
const READY_LIMIT_MS = 120_000;

export type RemoteOutcome =
  | { kind: 'judged'; verdict: Verdict; lost: string[] }
  /** It could not begin, for want of containers. */
  | { kind: 'shortfall'; text: string };

export interface RemoteCoordinator {
  environment: Record<string, unknown>;
  fingerprint: string;
  /**
   * @throws UserError (3) where the connection is lost or the coordinator fails, the signal's reason where it aborts
   */
  runTrial(planned: PlannedTrial, directory: string): Promise<RemoteOutcome>;
  /** Says that the run is over. */
  close(): void;
}

/**
 * @param options.url           `ws://address:port`
 * @param options.publicAddress where users reach it
 * @param options.trace         as it lies in the cache; null: the synthetic one, which every machine makes for itself
 * @throws UserError (3) where it cannot be reached or readied
 */
export async function connectRemoteCoordinator(options: {
  url: string;
  token: string;
  publicAddress: string;
  experiment: Experiment;
  trace: Uint8Array | null;
  observer: RunnerOptions['observer'];
  signal: AbortSignal;
}): Promise<RemoteCoordinator> {
  const { url, token, publicAddress, experiment, trace, observer, signal } = options;
  const socket = await connect(url, token, signal);
  type Answer = Extract<MessageFromRemote, { type: 'ready' | 'verdict' | 'shortfall' | 'failed' }>;
  let answered: (answer: Answer) => void = () => {};
  let files: ReceivedFiles | null = null;

  const link: Link<MessageToRemote> = holdLink({
    socket,
    schema: messageFromRemote,
    async onMessage(message) {
      switch (message.type) {
        case 'phase':
          return observer.onPhase(message.phase, message.endsAtMs);
        case 'records':
          return observer.onRecords(message.user, message.lines);
        case 'file':
          if (files === null) throw new Error('a file came that nobody had asked for');
          return files.begin(message.path, message.bytes);
        default:
          return answered(message);
      }
    },
    async onBytes(bytes) {
      if (files === null) throw new Error('bytes came that nobody had asked for');
      await files.write(bytes);
    },
  });

  /** The next answer; whatever ends the wait for it is an error. */
  const answer = (limitMs?: number): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const limit = limitMs === undefined ? null : AbortSignal.timeout(limitMs);
      const ends = AbortSignal.any([link.ended, signal, ...(limit === null ? [] : [limit])]);
      const onEnd = () => {
        if (signal.aborted) return reject(signal.reason);
        const why = limit?.aborted ? 'it does not answer' : (link.ended.reason as Error).message;
        reject(
          new UserError(
            `the coordinator at ${publicAddress} is lost: ${why}. Finished trials are kept; --resume goes on with the others`,
            { exitCode: 3 },
          ),
        );
      };
      if (ends.aborted) return onEnd();
      ends.addEventListener('abort', onEnd, { once: true });
      answered = (message) => {
        ends.removeEventListener('abort', onEnd);
        if (message.type !== 'failed') return resolve(message);
        reject(new UserError(`the coordinator at ${publicAddress} failed: ${message.text}`, { exitCode: 3 }));
      };
    });

  link.send({ type: 'begin', experiment, traceBytes: trace?.length ?? null, publicAddress });
  const readied = answer(READY_LIMIT_MS);
  // Awaited below; while the trace is on its way, an end is no unhandled one.
  readied.catch(() => {});
  if (trace !== null) await link.sendBytes(trace).catch(() => {});
  const ready = await readied.catch((error) => {
    link.close();
    throw error;
  });
  if (ready.type !== 'ready') throw new Error(`the coordinator answered "${ready.type}" before it was ready`);
  return {
    environment: ready.environment,
    fingerprint: ready.fingerprint,
    async runTrial(planned, directory) {
      files = receiveFiles(directory);
      const onAbort = () => link.send({ type: 'interrupt' });
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        const outcome = answer();
        link.send({ type: 'trial', planned });
        const message = await outcome;
        if (message.type === 'shortfall') return { kind: 'shortfall', text: message.text };
        if (message.type !== 'verdict') throw new Error(`the coordinator answered "${message.type}" to a trial`);
        return { kind: 'judged', verdict: message.verdict, lost: message.lost };
      } finally {
        files = null;
        signal.removeEventListener('abort', onAbort);
      }
    },
    close() {
      link.send({ type: 'over' });
      link.close();
    },
  };
}

/** Tries until somebody listens there and lets this machine in. */
async function connect(url: string, token: string, signal: AbortSignal): Promise<WebSocket> {
  const giveUpMs = performance.now() + CONNECT_LIMIT_MS;
  while (true) {
    signal.throwIfAborted();
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: CONNECT_LIMIT_MS / 6,
      maxPayload: LARGEST_FRAME_BYTES,
    });
    const problem = await new Promise<string | null>((resolve) => {
      socket.once('open', () => resolve(null));
      socket.once('error', (error) => resolve(error.message));
    });
    if (problem === null) return socket;
    socket.terminate();
    if (performance.now() > giveUpMs) {
      throw new UserError(
        `the coordinator at ${new URL(url).host} cannot be reached (${problem}). Only one address is let in: is this machine's still the same, and does its network let such connections out? "fleet.fargate.reachedFrom" sets it`,
        { exitCode: 3 },
      );
    }
    await sleep(CONNECT_PERIOD_MS, undefined, { signal }).catch(() => {});
  }
}

/**
 * The coordinator's side of a run elsewhere: it holds the dispatcher of the users' and the server's containers, takes the
 * experiment and its trials from the person's machine over one connection, runs each as any fleet's, and sends its
 * files back. It ends when that machine says so, is silent, or loses the connection: nobody would take the results.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { refuseUpgrade } from '../../infra/channel/refuse-upgrade.ts';
import { isToken } from '../../infra/channel/token.ts';
import { readTaskMetadata } from '../../infra/machine/task-metadata.ts';
import { type Dispatcher, startDispatcher } from '../../infra/workers/dispatcher.ts';
import { GO_LIMIT_MS } from '../../infra/workers/workers-fleet.ts';
import { type PlannedTrial, VERDICT_FILE } from '../../results/formats/run-directory.ts';
import { verifyTrace } from '../../traces/cache.ts';
import { syntheticTrace } from '../../traces/synthetic.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { regionsOfUsers } from '../experiment/groups.ts';
import { describeEnvironment } from '../machine/environment.ts';
import { type RunOne, readyTrials } from '../trial/trials.ts';
import { holdLink, LARGEST_FRAME_BYTES, type Link } from './link.ts';
import { LINK_SILENCE_MS, type MessageFromRemote, type MessageToRemote, messageToRemote } from './link-protocol.ts';
import { remoteFleet, wantedWorkers } from './remote-fleet.ts';
import { sourceFingerprint } from './source-fingerprint.ts';

/** A container that runs connects within seconds; one that is not here by then will not come. */
const WORKERS_LIMIT_MS = 60_000;

export interface SessionSettings {
  /** What the person's machine must show. */
  linkToken: string;
  /** What workers must show. */
  token: string;
  /** Link, dispatcher, coordinator and server listen on it and the next three. */
  firstPort: number;
  deadlineMs: number;
  silenceMs?: number;
}

/** Why a session ended. */
export type SessionEnd = 'over' | 'alone' | 'deadline' | 'interrupted';

/**
 * Listens for the person's machine and serves it until one of the ends.
 *
 * @throws the system's error where a port is taken
 */
export async function serveRemoteTrials(settings: SessionSettings, interrupted: AbortSignal): Promise<SessionEnd> {
  const { firstPort, linkToken, token, deadlineMs, silenceMs = LINK_SILENCE_MS } = settings;
  const ended = new AbortController();
  const lost = new Set<string>();
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-run-'));
  const dispatcher = await startDispatcher({
    host: '0.0.0.0',
    port: firstPort + 1,
    token,
    events: {
      onLeaving: (worker) => void lost.add(worker.name),
      onLeft: (worker) => void lost.add(worker.name),
    },
  });
  const http = createServer((_request, response) => {
    response.writeHead(426).end('the machine that steers the run only');
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_FRAME_BYTES });
  let session: Promise<void> | null = null;
  http.on('upgrade', (request, socket, head) => {
    const [, given = ''] = /^Bearer (.*)$/.exec(request.headers.authorization ?? '') ?? [];
    // One machine steers, and one only.
    if (!isToken(given, linkToken) || session !== null) {
      refuseUpgrade(socket);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      session = steer({ socket: opened, dispatcher, folder, firstPort, silenceMs, lost, ended }).catch(
        (error: Error) => {
          console.error(error.message);
          ended.abort('alone');
        },
      );
    });
  });
  const onInterrupted = () => ended.abort('interrupted');
  interrupted.addEventListener('abort', onInterrupted);
  const deadline = setTimeout(() => ended.abort('deadline'), Math.max(0, deadlineMs - Date.now()));
  const nobodyCame = setTimeout(() => session === null && ended.abort('alone'), silenceMs);
  try {
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.listen(firstPort, '0.0.0.0', resolve);
    });
    await new Promise<void>((resolve) => {
      if (ended.signal.aborted) resolve();
      else ended.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await session;
    return ended.signal.reason;
  } finally {
    clearTimeout(deadline);
    clearTimeout(nobodyCame);
    interrupted.removeEventListener('abort', onInterrupted);
    await dispatcher.dismiss(GO_LIMIT_MS);
    await dispatcher.close();
    for (const socket of sockets.clients) socket.terminate();
    http.closeAllConnections();
    await new Promise<void>((resolve) => http.close(() => resolve()));
    await rm(folder, { recursive: true, force: true });
  }
}

type Begin = Extract<MessageToRemote, { type: 'begin' }>;

/** What has been readied for the experiment. */
interface Readied {
  begin: Begin;
  runOne: RunOne;
}

/** Does what the person's machine says, until it says that the run is over, or is gone. */
async function steer(options: {
  socket: WebSocket;
  dispatcher: Dispatcher;
  folder: string;
  firstPort: number;
  silenceMs: number;
  lost: Set<string>;
  ended: AbortController;
}): Promise<void> {
  // Nothing is awaited before the link holds the socket: what arrives until then would be lost.
  const { socket, dispatcher, folder, firstPort, silenceMs, lost, ended } = options;
  let readied: Readied | null = null;
  let waiting: { begin: Begin; chunks: Buffer[]; left: number } | null = null;
  let trial: { stop: AbortController; done: Promise<void> } | null = null;

  const ready = async (begin: Begin, traceBytes: Uint8Array | null) => {
    try {
      await readyFor(begin, traceBytes);
    } catch (error) {
      link.send({ type: 'failed', text: (error as Error).message });
    }
  };
  const readyFor = async (begin: Begin, traceBytes: Uint8Array | null) => {
    const { experiment } = begin;
    const trace = traceBytes === null ? syntheticTrace() : await verifyTrace(traceBytes, experiment.trace);
    const [runOne, environment, metadata, fingerprint] = await Promise.all([
      readyTrials(experiment, trace),
      describeEnvironment(experiment, null),
      readTaskMetadata(),
      sourceFingerprint(),
    ]);
    readied = { begin, runOne };
    link.send({ type: 'ready', environment: { ...environment, serverTask: metadata }, fingerprint });
  };

  const link: Link<MessageFromRemote> = holdLink({
    socket,
    silenceMs,
    schema: messageToRemote,
    async onMessage(message) {
      switch (message.type) {
        case 'begin':
          if (message.traceBytes === null) await ready(message, null);
          else waiting = { begin: message, chunks: [], left: message.traceBytes };
          return;
        case 'trial': {
          if (readied === null || trial !== null) throw new Error('a trial was asked for out of turn');
          const stop = new AbortController();
          const context = { ...readied, planned: message.planned, dispatcher, firstPort, folder, link, lost };
          const done = runRemoteTrial(context, stop.signal).catch((error: Error) => {
            // Where it was stopped, whoever stopped it knows why.
            if (!stop.signal.aborted) link.send({ type: 'failed', text: error.message });
          });
          trial = { stop, done };
          done.then(() => {
            trial = null;
          });
          return;
        }
        case 'interrupt':
          trial?.stop.abort(new Error('interrupted'));
          return;
        case 'over':
          ended.abort('over');
          link.close();
          return;
      }
    },
    async onBytes(bytes) {
      if (waiting === null || bytes.length > waiting.left) throw new Error('bytes came that nothing had announced');
      waiting.chunks.push(bytes);
      waiting.left -= bytes.length;
      if (waiting.left > 0) return;
      const { begin, chunks } = waiting;
      waiting = null;
      await ready(begin, Buffer.concat(chunks));
    },
  });
  const ends = AbortSignal.any([link.ended, ended.signal]);
  await new Promise<void>((resolve) => {
    if (ends.aborted) resolve();
    else ends.addEventListener('abort', () => resolve(), { once: true });
  });
  ended.abort('alone');
  const underWay = trial as { stop: AbortController; done: Promise<void> } | null;
  underWay?.stop.abort(new Error('the run ended'));
  await underWay?.done;
}

async function runRemoteTrial(
  options: Readied & {
    planned: PlannedTrial;
    dispatcher: Dispatcher;
    firstPort: number;
    folder: string;
    link: Link<MessageFromRemote>;
    lost: Set<string>;
  },
  signal: AbortSignal,
): Promise<void> {
  const { begin, planned, dispatcher, firstPort, folder, link, lost } = options;
  const { fleet, network } = begin.experiment as Experiment;
  const regions = regionsOfUsers(planned.users, network.groups, fleet.region!);
  const wanted = wantedWorkers(regions);
  const limit = AbortSignal.timeout(WORKERS_LIMIT_MS);
  try {
    await dispatcher.untilIdle(wanted, AbortSignal.any([signal, limit]));
  } catch (error) {
    if (error !== limit.reason) throw error;
    const missing = wanted.filter((each) => dispatcher.shortfall(each) > 0);
    const list = missing.map(
      (each) => `${dispatcher.shortfall(each)} of ${each.count} "${each.role}" in ${each.group ?? 'the same task'}`,
    );
    link.send({ type: 'shortfall', text: `containers are missing: ${list.join(', ')}` });
    return;
  }
  lost.clear();
  const directory = join(folder, planned.directory);
  const verdict = await options.runOne({
    planned,
    fleet: remoteFleet({
      dispatcher,
      publicAddress: begin.publicAddress,
      ports: { coordinator: firstPort + 2, server: firstPort + 3 },
      regions,
    }),
    directory,
    show: false,
    observer: {
      onPhase: (phase, endsAtMs) => link.send({ type: 'phase', phase, endsAtMs }),
      onRecords: (user, lines) => link.inform({ type: 'records', user, lines }),
    },
    signal,
  });
  for (const path of await filesOf(directory)) {
    const content = await readFile(join(directory, path));
    link.send({ type: 'file', path, bytes: content.length });
    await link.sendBytes(content);
  }
  await rm(directory, { recursive: true, force: true });
  link.send({ type: 'verdict', verdict, lost: [...lost] });
}

/** Relative to the directory; the verdict last, because whoever finds it takes the trial for complete. */
async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
  return paths.sort((a, b) => Number(a === VERDICT_FILE) - Number(b === VERDICT_FILE) || a.localeCompare(b, 'en'));
}

/**
 * A worker: connects out to the dispatcher, waits for jobs, and runs each as a process of its own. It ends when the dispatcher says
 * that the run is over, when the dispatcher is silent for too long, at its hard deadline, or when it is told to (SIGTERM).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type RunningProcess, startProcess } from '../process/process.ts';
import { SECRET_VARIABLES, type WorkerSettings } from './environment.ts';
import { containerLimits } from './limits.ts';
import { DISPATCHER_SILENCE_MS, type MessageToDispatcher, type MessageToWorker, messageToWorker } from './protocol.ts';

/** How often silence and deadline are looked at, and a lost or not yet listening dispatcher is called again. */
const CHECK_PERIOD_MS = 500;
/**
 * An answer to a call takes a round trip. Where packets vanish, because the dispatcher's machine does not let this one in yet,
 * the system would repeat them less and less often; a new call begins anew.
 */
const CALL_LIMIT_MS = 5000;

/** Why it ended. */
export type WorkerEnd = 'over' | 'silence' | 'deadline' | 'interrupted';

/**
 * Works until one of the ends is reached. Its job's process, if it has one, is ended first, so that it can hand in what
 * it holds; the dispatcher is told before.
 *
 * @param options.root        the folder that jobs' entry files are relative to
 * @param options.interrupted aborts when the machine wants this process to end
 */
export async function runWorker(options: {
  settings: WorkerSettings;
  root: string;
  interrupted: AbortSignal;
  silenceMs?: number;
}): Promise<WorkerEnd> {
  const { settings, interrupted, silenceMs = DISPATCHER_SILENCE_MS } = options;
  const ended = new AbortController();
  let heardMs = performance.now();
  const check = () => {
    if (interrupted.aborted) ended.abort('interrupted');
    else if (Date.now() >= settings.deadlineMs) ended.abort('deadline');
    else if (performance.now() - heardMs > silenceMs) ended.abort('silence');
  };
  const watch = setInterval(check, CHECK_PERIOD_MS);
  interrupted.addEventListener('abort', check);
  check();
  while (!ended.signal.aborted) {
    await serveDispatcher({
      ...options,
      ended,
      onHeard: () => {
        heardMs = performance.now();
      },
    });
    // An abort only ends the pause.
    await sleep(CHECK_PERIOD_MS, undefined, { signal: ended.signal }).catch(() => {});
  }
  clearInterval(watch);
  interrupted.removeEventListener('abort', check);
  return ended.signal.reason;
}

/** One connection to the dispatcher, from its opening to its end; also one that does not come about. */
async function serveDispatcher(options: {
  settings: WorkerSettings;
  root: string;
  ended: AbortController;
  onHeard: () => void;
}): Promise<void> {
  const { settings, ended, onHeard } = options;
  // Not there yet, as the dispatcher itself may not be: tried again until the silence is too long.
  const token = await settings.readToken().catch(() => null);
  if (token === null) return;
  const socket = new WebSocket(settings.dispatcher, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    handshakeTimeout: CALL_LIMIT_MS,
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // What follows an error is a close.
  socket.on('error', () => socket.terminate());
  let current: Job | null = null as Job | null;
  const send = (message: MessageToDispatcher) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  socket.once('upgrade', ({ socket: tcp }: { socket: Socket }) => {
    const { role, group, name } = settings;
    const address = settings.address ?? tcp.localAddress ?? '127.0.0.1';
    socket.once('open', () => {
      onHeard();
      send({ type: 'hello', role, group, name, address, limits: containerLimits() });
    });
  });
  socket.on('ping', onHeard);
  socket.on('message', (data) => {
    onHeard();
    const message = readMessage(data.toString());
    if (message === null) return socket.terminate();
    switch (message.type) {
      case 'job':
        current = startJob(options.root, message, (end) => send({ type: 'ended', job: message.job, ...end }));
        return;
      case 'stop':
        if (current?.number === message.job) current.end();
        return;
      case 'over':
        ended.abort('over');
        return;
    }
  });

  const leave = async () => {
    const why: WorkerEnd = ended.signal.reason;
    if (why === 'interrupted' || why === 'deadline') send({ type: 'leaving', why });
    await current?.end();
    if (why === 'silence') socket.terminate();
    else socket.close();
  };
  if (ended.signal.aborted) socket.terminate();
  else ended.signal.addEventListener('abort', leave, { once: true });
  await closed;
  ended.signal.removeEventListener('abort', leave);
  // A job without a dispatcher is nobody's.
  await current?.end();
}

function readMessage(text: string): MessageToWorker | null {
  try {
    return messageToWorker.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

interface Job {
  number: number;
  /** Resolves when its process is gone, its files are removed, and its end is told. */
  end(): Promise<void>;
}

function startJob(
  root: string,
  order: { job: number; entry: string; arguments: string[]; environment: Record<string, string> },
  onEnded: (end: Awaited<RunningProcess['ended']>) => void,
): Job {
  const secretless = { ...process.env };
  for (const name of SECRET_VARIABLES) delete secretless[name];
  let running: RunningProcess | null = null;
  let stopped = false;
  const life = async () => {
    // What the process leaves behind, such as Chrome's profiles, is removed with it.
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-job-'));
    const environment = { ...secretless, ...order.environment, TMPDIR: folder };
    running = startProcess({ root, entry: order.entry, arguments: order.arguments, environment });
    if (stopped) running.end();
    const end = await running.ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    onEnded(end);
  };
  const gone = life().catch((error: Error) => onEnded({ code: null, signal: null, lastWords: error.message }));
  return {
    number: order.job,
    async end() {
      stopped = true;
      await running?.end();
      await gone;
    },
  };
}

/**
 * A worker: connects out to the dispatcher, waits for jobs, and runs each as a process of its own. It ends when the dispatcher says
 * that the run is over, when the dispatcher is silent for too long, at its hard deadline, or when it is told to (SIGTERM).
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Channel, SILENCE_MS } from '../channel/channel.ts';
import { openChannel } from '../channel/open-channel.ts';
import { containerLimits } from '../machine/limits.ts';
import type { WorkerSettings } from './environment.ts';
import { type MessageToDispatcher, type MessageToWorker, messageToWorker } from './protocol.ts';
import { startJob, type WorkerJob } from './worker-job.ts';

/** How often silence and deadline are looked at, and a lost or not yet listening dispatcher is called again. */
const CHECK_PERIOD_MS = 500;
/**
 * An answer to a call takes a round trip. Where packets vanish, because the dispatcher's machine does not let this one in yet,
 * the system would repeat them less and less often; a new call begins anew.
 */
const CALL_LIMIT_MS = 5000;

/** Why it ended. */
export type WorkerEnd = 'over' | 'silence' | 'deadline' | 'interrupted';

type ToDispatcher = Channel<MessageToWorker, MessageToDispatcher>;

/**
 * Works until one of the ends is reached. Its job's process, if it has one, is ended first, so that it can hand in what
 * it holds; the dispatcher is told before.
 *
 * @param options.root        the folder that jobs' entry files are relative to
 * @param options.interrupted aborts when the machine wants this process to end
 * @param options.silenceMs   how long the dispatcher may be silent, connected or not
 */
export async function runWorker(options: {
  settings: WorkerSettings;
  root: string;
  interrupted: AbortSignal;
  silenceMs?: number;
}): Promise<WorkerEnd> {
  const { settings, root, interrupted, silenceMs = SILENCE_MS } = options;
  const ended = new AbortController();
  let channel: ToDispatcher | null = null as ToDispatcher | null;
  const startMs = performance.now();
  const check = () => {
    if (interrupted.aborted) ended.abort('interrupted');
    else if (Date.now() >= settings.deadlineMs) ended.abort('deadline');
    else if (performance.now() - (channel?.heardMs ?? startMs) > silenceMs) ended.abort('silence');
  };
  const watch = setInterval(check, CHECK_PERIOD_MS);
  interrupted.addEventListener('abort', check);
  check();
  while (!ended.signal.aborted) {
    const opened = await callDispatcher({ settings, silenceMs, signal: ended.signal });
    if (opened !== null) {
      channel = opened;
      await serve({ channel, settings, root, ended });
    }
    // An abort only ends the pause.
    await sleep(CHECK_PERIOD_MS, undefined, { signal: ended.signal }).catch(() => {});
  }
  clearInterval(watch);
  interrupted.removeEventListener('abort', check);
  return ended.signal.reason;
}

/** Null where the token or the dispatcher is not there yet: both are tried again until the silence is too long. */
async function callDispatcher(options: {
  settings: WorkerSettings;
  silenceMs: number;
  signal: AbortSignal;
}): Promise<ToDispatcher | null> {
  const { settings, silenceMs, signal } = options;
  try {
    return await openChannel({
      url: settings.dispatcher,
      token: await settings.readToken(),
      schema: messageToWorker,
      silenceMs,
      handshakeLimitMs: CALL_LIMIT_MS,
      signal,
    });
  } catch {
    return null;
  }
}

/** Does the jobs of one connection to the dispatcher, until it ends, or the worker is to end. */
async function serve(options: {
  channel: ToDispatcher;
  settings: WorkerSettings;
  root: string;
  ended: AbortController;
}): Promise<void> {
  const { channel, settings, root, ended } = options;
  let current: WorkerJob | null = null as WorkerJob | null;
  channel.receive({
    onMessage(message) {
      switch (message.type) {
        case 'job':
          current = startJob(root, message, (end) => channel.send({ type: 'ended', job: message.job, ...end }));
          return;
        case 'stop':
          if (current?.number === message.job) void current.end();
          return;
        case 'over':
          ended.abort('over');
          return;
      }
    },
  });
  const { role, group, name } = settings;
  const address = settings.address ?? channel.localAddress ?? '127.0.0.1';
  channel.send({ type: 'hello', role, group, name, address, limits: containerLimits() });

  const leave = async () => {
    const why: WorkerEnd = ended.signal.reason;
    if (why === 'interrupted' || why === 'deadline') channel.send({ type: 'leaving', why });
    await current?.end();
    if (why === 'silence') channel.cut();
    else channel.close();
  };
  if (ended.signal.aborted) await leave();
  else ended.signal.addEventListener('abort', leave, { once: true });
  if (!channel.ended.aborted) await once(channel.ended, 'abort');
  ended.signal.removeEventListener('abort', leave);
  // A job without a dispatcher is nobody's.
  await current?.end();
}

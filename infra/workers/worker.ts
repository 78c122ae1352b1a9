/**
 * A worker: connects out to the dispatcher, or is called, waits for jobs, and runs each as a process of its own. It ends when the dispatcher says
 * that the run is over, when the dispatcher is silent for too long, at its hard deadline, or when it is told to (SIGTERM).
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Channel, openChannel, SILENCE_MS } from '../channel/channel.ts';
import { type ReceivedFiles, receiveFiles, sendFolder } from '../channel/files.ts';
import { type ChannelListener, listenForChannels } from '../channel/listen-for-channels.ts';
import { Unsealed } from '../channel/seal.ts';
import { containerLimits } from '../machine/container.ts';
import { Changes } from '../process/changes.ts';
import { Child, type ChildEnd, nodeCommand } from '../process/child.ts';
import { childEnvironment } from '../process/environment.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../process/made-once.ts';
import type { WorkerSettings } from './environment.ts';
import { type JobOrder, type MessageToDispatcher, type MessageToWorker, messageToWorker } from './protocol.ts';

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
 * @param options.say         is told each time that the dispatcher has another token
 */
export async function runWorker(options: {
  settings: WorkerSettings;
  root: string;
  interrupted: AbortSignal;
  silenceMs?: number;
  say?: (text: string) => void;
}): Promise<WorkerEnd> {
  const { settings, root, interrupted, silenceMs = SILENCE_MS, say } = options;
  const ended = new AbortController();
  let channel: ToDispatcher | null = null as ToDispatcher | null;
  const startMs = performance.now();
  const check = () => {
    if (interrupted.aborted) ended.abort('interrupted');
    else if (Date.now() >= settings.deadlineMs) ended.abort('deadline');
    else if (performance.now() - (channel?.heardMs ?? startMs) > silenceMs) ended.abort('silence');
  };
  const callers = typeof settings.dispatcher === 'number' ? await awaitCallers({ settings, silenceMs }) : null;
  const watch = setInterval(check, CHECK_PERIOD_MS);
  interrupted.addEventListener('abort', check);
  check();
  while (!ended.signal.aborted) {
    const signal = ended.signal;
    const opened = await (callers?.next(signal) ?? callDispatcher({ settings, silenceMs, signal, say }));
    if (opened !== null) {
      channel = opened;
      await serve({ channel, settings, root, ended });
      // A caller calls once.
      if (callers !== null) ended.abort('silence');
    }
    // An abort only ends the pause.
    await sleep(CHECK_PERIOD_MS, undefined, { signal: ended.signal }).catch(() => {});
  }
  clearInterval(watch);
  interrupted.removeEventListener('abort', check);
  await callers?.close();
  return ended.signal.reason;
}

/** Null if the token or the dispatcher is not there yet: both are tried again until the silence is too long. */
async function callDispatcher(options: {
  settings: WorkerSettings;
  silenceMs: number;
  signal: AbortSignal;
  say?: (text: string) => void;
}): Promise<ToDispatcher | null> {
  const { settings, silenceMs, signal, say } = options;
  try {
    return await openChannel({
      url: String(settings.dispatcher),
      token: await settings.readToken(),
      isSealed: true,
      schema: messageToWorker,
      silenceMs,
      handshakeLimitMs: CALL_LIMIT_MS,
      signal,
    });
  } catch (error) {
    if (error instanceof Unsealed) say?.(`refused by ${settings.dispatcher}: ${error.message}`);
    return null;
  }
}

/** Waits to be called, by whoever knows the token. @throws the system's error if the port is taken */
async function awaitCallers(options: { settings: WorkerSettings; silenceMs: number }) {
  const { settings, silenceMs } = options;
  const waiting: ToDispatcher[] = [];
  const changes = new Changes();
  const listener: ChannelListener = await listenForChannels<MessageToWorker, MessageToDispatcher>({
    host: '0.0.0.0',
    port: settings.dispatcher as number,
    token: await settings.readToken(),
    isSealed: true,
    schema: messageToWorker,
    silenceMs,
    // One machine gives the jobs, and one only.
    most: 1,
    onChannel(channel) {
      waiting.push(channel);
      changes.happened();
    },
  });
  return {
    close: () => listener.close(),
    async next(signal: AbortSignal): Promise<ToDispatcher | null> {
      await changes.until(() => waiting.length > 0, signal).catch(() => {});
      return waiting.shift() ?? null;
    },
  };
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
  let given = null as { folder: string; files: ReceivedFiles } | null;
  // Messages leave in their order, each after the files of its folder; an optional one does not if much waits.
  let saying = Promise.resolve();
  const onSaid = (value: unknown) => {
    const { folder = null, optional = false } = value as { folder?: string | null; optional?: boolean };
    const say = async () => {
      if (folder !== null) await sendFolder(channel, folder);
      channel[optional ? 'inform' : 'send']({ type: 'said', value });
    };
    saying = saying.then(say).catch(() => channel.cut());
  };
  channel.receive({
    onBytes: (bytes) => given?.files.write(bytes),
    async onMessage(message) {
      switch (message.type) {
        case 'file': {
          const folder = given?.folder ?? (await makeTemporaryFolder(''));
          given ??= { folder, files: receiveFiles(folder) };
          return given.files.begin(message.path, message.bytes);
        }
        case 'job': {
          const onEnded = (end: ChildEnd) =>
            void saying.then(() => channel.send({ type: 'ended', job: message.job, ...end }));
          current = startJob(message, { root, onEnded, ...(given !== null && { folder: given.folder, onSaid }) });
          given = null;
          return;
        }
        case 'answer':
          return current?.answer(message.value);
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
  // A job without a dispatcher is nobody's, and so are files that no job came for.
  await current?.end();
  if (given === null) return;
  await given.files.abandon();
  await removeTemporaryFolder(given.folder);
}

/** In a job's arguments and environment: its folder. */
const JOB_FOLDER = '{folder}';

type WorkerJob = ReturnType<typeof startJob>;

/**
 * @param options.root    the folder that `order.entry` is relative to
 * @param options.folder  holds the files that came for it; absent: none came
 * @param options.onSaid  gets the messages of its process, objects of which `folder` and `optional` are read; absent: it sends none
 * @param options.onEnded called once, with how its process ended
 */
function startJob(
  order: JobOrder,
  options: { root: string; folder?: string; onSaid?(value: unknown): void; onEnded(end: ChildEnd): void },
) {
  const { root, onSaid, onEnded } = options;
  let running: Child | null = null;
  let stopped = false;
  const life = async () => {
    // Files that the process leaves behind, such as Chrome's profiles, are removed with the folder.
    const folder = options.folder ?? (await makeTemporaryFolder(''));
    const placed = (text: string) => text.replaceAll(JOB_FOLDER, folder);
    const given = Object.entries(order.environment).map(([name, value]) => [name, placed(value)]);
    const environment = { ...childEnvironment(), ...Object.fromEntries(given), TMPDIR: folder };
    const command = nodeCommand(order.entry, ...order.arguments.map(placed));
    running = new Child({ command, folder: root, environment, hasChannel: onSaid !== undefined });
    if (onSaid !== undefined) running.process.on('message', onSaid);
    if (stopped) running.stop();
    const end = await running.ended;
    await removeTemporaryFolder(folder);
    onEnded(end);
  };
  const gone = life().catch((error: Error) => onEnded({ code: null, signal: null, lastWords: error.message }));
  return {
    number: order.job,
    /** Tells its process something. */
    answer(value: unknown): void {
      if (running?.process.connected) running.process.send(value as object);
    },
    /** Resolves when its process is gone, its files are removed, and its end is told. */
    async end(): Promise<void> {
      stopped = true;
      await running?.stop();
      await gone;
    },
  };
}

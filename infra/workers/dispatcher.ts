/**
 * The dispatcher: where workers report for work. It lets in who knows the run's token, gives idle workers jobs, hears how they
 * end, and notices workers that are gone. With `fleet` it is a fleet like any other.
 */
import type { Channel } from '../channel/channel.ts';
import { type ChannelListener, listenForChannels } from '../channel/listen-for-channels.ts';
import { createToken } from '../channel/token.ts';
import type { Fleet, FleetNetwork } from '../fleet.ts';
import { Changes } from '../process/changes.ts';
import { type ConnectedWorker, connectedWorker, type Kind, type Worker } from './connected-worker.ts';
import {
  type MessageToDispatcher,
  type MessageToWorker,
  messageToDispatcher,
  type Role,
  WORKER_SILENCE_MS,
} from './protocol.ts';

/** Workers say little: who they are, and last words. */
const LARGEST_MESSAGE_BYTES = 64 * 1024;
/** A worker kills its process after 5 s; one that has not told of its end after this long is given up. */
const STOP_LIMIT_MS = 15_000;

/** Workers of a kind. */
export interface Wanted extends Kind {
  count: number;
}

interface DispatcherOptions {
  /** The interface to listen on, and its port; 0 or absent: any free one. */
  host: string;
  port?: number;
  /** Absent: a new one. */
  token?: string;
  /** How long a worker may be silent. */
  silenceMs?: number;
  /** Is told of the address of a caller that has another token. */
  onRefused?: (address: string) => void;
}

/** @throws the system's error if it cannot listen there */
export async function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const dispatcher = new Dispatcher(options.token ?? createToken());
  await dispatcher.listen(options);
  return dispatcher;
}

export class Dispatcher {
  /** The secret that workers must show. */
  readonly token: string;
  /** In the order in which they came. */
  readonly #workers = new Set<ConnectedWorker>();
  /** A worker came, went, or became idle. */
  readonly #changes = new Changes();
  #listener: ChannelListener | null = null;
  #isDismissed = false;

  constructor(token: string) {
    this.token = token;
  }

  async listen({ host, port, onRefused, silenceMs = WORKER_SILENCE_MS }: DispatcherOptions): Promise<void> {
    this.#listener = await listenForChannels<MessageToDispatcher, MessageToWorker>({
      host,
      port,
      onRefused,
      silenceMs,
      token: this.token,
      isSealed: true,
      schema: messageToDispatcher,
      maxMessageBytes: LARGEST_MESSAGE_BYTES,
      onChannel: (channel) => this.#admit(channel),
    });
  }

  get port(): number {
    return this.#listener!.port;
  }

  /** Those that are connected now, in the order in which they came. */
  get workers(): readonly Worker[] {
    return [...this.#workers].map(({ worker }) => worker);
  }

  /** How many of these workers are not there, or have a job; 0 if all can be given one. */
  shortfall(wanted: Wanted): number {
    return Math.max(0, wanted.count - this.#idle(wanted).length);
  }

  /**
   * Resolves once so many workers are idle.
   *
   * @throws the signal's reason if it aborts before
   */
  untilIdle(wanted: readonly Wanted[], signal: AbortSignal): Promise<void> {
    return this.#changes.until(() => wanted.every((each) => this.shortfall(each) === 0), signal);
  }

  /**
   * A fleet whose jobs go to idle workers of the job's role, by default its name, and of its group. Its `stop` ends the
   * jobs that it launched; the workers stay, idle again, for the next trial. A job for which there is no worker, whose
   * worker is lost or leaves, or which ends badly, is told of by `failed`.
   *
   * @param options.addressOf where other processes of the fleet reach a worker; what it says of itself unless given
   */
  fleet(options: { network: FleetNetwork; addressOf?(worker: Worker): string }): Fleet {
    const { network, addressOf = ({ address }) => address } = options;
    const launchedOn = new Set<ConnectedWorker>();
    const atWork = () => [...launchedOn].filter(({ busy }) => busy);
    let isStopping = false;
    return {
      network,
      launch: async (job) => {
        isStopping = false;
        const { name, role = name, group } = job;
        const [chosen] = this.#idle({ role: role as Role, group });
        if (chosen === undefined) {
          const where = group === undefined ? '' : ` in ${group}`;
          const text = `the ${name} process could not be started: no container${where} is free for it`;
          return { address: null, failed: Promise.resolve({ text, of: 'machine' }) };
        }
        launchedOn.add(chosen);
        const failed = chosen.run(job).then((failure) => (isStopping ? null : failure));
        return { address: addressOf(chosen.worker), failed };
      },
      stop: async () => {
        isStopping = true;
        for (const worker of atWork()) worker.stop();
        const limit = AbortSignal.timeout(STOP_LIMIT_MS);
        await this.#changes
          .until(() => atWork().length === 0, limit)
          .catch(() => {
            for (const worker of atWork()) worker.cut();
          });
        launchedOn.clear();
      },
    };
  }

  /** Tells every worker that the run is over, and any that still comes. Resolves when all are gone, or after the limit. */
  async dismiss(limitMs: number): Promise<void> {
    this.#isDismissed = true;
    for (const worker of this.#workers) worker.dismiss();
    // Those that do not go are left to their own clocks.
    await this.#changes.until(() => this.#workers.size === 0, AbortSignal.timeout(limitMs)).catch(() => {});
  }

  /** Stops listening and cuts every connection. Workers that were not dismissed look for the dispatcher until they give up. */
  async close(): Promise<void> {
    await this.#listener?.close();
  }

  /** Workers of a kind that can be given a job now. */
  #idle(kind: Kind): ConnectedWorker[] {
    return [...this.#workers].filter((worker) => worker.canDo(kind));
  }

  #admit(channel: Channel<MessageToDispatcher, MessageToWorker>): void {
    let worker: ConnectedWorker | null = null;
    channel.receive({
      onMessage: (message) => {
        if (message.type === 'hello') {
          if (worker !== null) throw new Error('it has said hello already');
          worker = connectedWorker(message, channel);
          this.#join(worker);
        } else {
          if (worker === null) throw new Error('it must say hello first');
          this.#hear(worker, message);
        }
      },
    });
    channel.ended.addEventListener('abort', () => worker !== null && this.#part(worker));
  }

  #join(worker: ConnectedWorker): void {
    this.#workers.add(worker);
    if (this.#isDismissed) worker.dismiss();
    this.#changes.happened();
  }

  #hear(worker: ConnectedWorker, message: Exclude<MessageToDispatcher, { type: 'hello' }>): void {
    if (message.type === 'leaving') {
      worker.takeLeaving(message.why);
    } else if (message.type === 'ended') {
      worker.takeEnd(message);
      this.#changes.happened();
    } else throw new Error('its jobs hand in nothing');
  }

  #part(worker: ConnectedWorker): void {
    this.#workers.delete(worker);
    worker.takeLoss();
    this.#changes.happened();
  }
}

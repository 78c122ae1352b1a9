/**
 * The dispatcher: where workers report for work. It lets in who knows the run's token, gives idle workers jobs, hears how they
 * end, and notices workers that are gone. With `fleet` it is a fleet like any other.
 */
import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { refuseUpgrade } from '../channel/refuse-upgrade.ts';
import { createToken, isToken } from '../channel/token.ts';
import type { Fleet, FleetNetwork, Job } from '../fleet.ts';
import { badEnd, firstFailure } from '../process/process.ts';
import {
  type Hello,
  type LEAVING,
  type MessageToDispatcher,
  type MessageToWorker,
  messageToDispatcher,
  PING_PERIOD_MS,
  type Role,
  WORKER_SILENCE_MS,
} from './protocol.ts';

/** Workers say little: who they are, and last words. */
const LARGEST_MESSAGE_BYTES = 64 * 1024;
/** A worker kills its process after 5 s; one that has not told of its end after this long is given up. */
const STOP_LIMIT_MS = 15_000;

/** What befell the process of a worker that left; it follows the process's name. */
const LEAVING_TEXTS: Record<(typeof LEAVING)[number], string> = {
  interrupted: 'was interrupted: its container was told to end (SIGTERM)',
  deadline: 'was ended: its container came to its hard deadline',
};

/** A worker, as the dispatcher knows it: what it said of itself, and whether it has a job. */
export interface Worker extends Readonly<Omit<Hello, 'type'>> {
  readonly busy: boolean;
}

/** Workers of a kind. */
export interface Wanted {
  role: Role;
  /** Absent: of any group. */
  group?: string;
  count: number;
}

/** Why a worker left: the dispatcher sent it home, its machine or deadline took it, or it fell silent. */
export type Leaving = 'over' | 'lost' | (typeof LEAVING)[number];

export interface DispatcherEvents {
  onConnected?(worker: Worker): void;
  /** It says that it is about to go; its job's process may still hand in what it holds. */
  onLeaving?(worker: Worker, why: (typeof LEAVING)[number]): void;
  onLeft?(worker: Worker, why: Leaving): void;
}

export interface Dispatcher {
  port: number;
  /** What workers must show; a secret. */
  token: string;
  /** Those that are connected now, in the order in which they came. */
  readonly workers: readonly Worker[];
  /** How many of these workers are not there, or have a job; 0 where all can be given one. */
  shortfall(wanted: Wanted): number;
  /**
   * Resolves once so many workers are idle.
   *
   * @throws the signal's reason where it aborts before
   */
  untilIdle(wanted: readonly Wanted[], signal: AbortSignal): Promise<void>;
  /**
   * A fleet whose jobs go to idle workers of the role that the job's name says, and of its group. Its `stop` ends the
   * jobs that it launched; the workers stay, idle again, for the next fleet. A job for which there is no worker, whose
   * worker is lost or leaves, or which ends badly, is told of by `failed`.
   *
   * @param options.addressOf where other processes of the fleet reach a worker; what it says of itself unless given
   */
  fleet(options: { name: string; network: FleetNetwork; addressOf?: (worker: Worker) => string }): Fleet;
  /** Tells every worker that the run is over, and any that still comes. Resolves when all are gone, or after the limit. */
  dismiss(limitMs: number): Promise<void>;
  /** Stops listening and cuts every connection. Workers that were not dismissed look for the dispatcher until they give up. */
  close(): Promise<void>;
}

interface Member {
  worker: Worker & { busy: boolean };
  send(message: MessageToWorker): void;
  cut(): void;
  /** Called with what befell its job: a sentence that follows the process's name, or null. */
  settle: ((problem: string | null) => void) | null;
  job: number;
  /** Null while it is here to stay. */
  leaving: Exclude<Leaving, 'lost'> | null;
}

/**
 * @param options.host  the interface to listen on
 * @param options.port  0 or absent: any free one
 * @param options.token absent: a new one
 * @param options.heartbeat how often workers are pinged, and how long one may be silent
 * @throws the system's error where it cannot listen there
 */
export async function startDispatcher(options: {
  host: string;
  port?: number;
  token?: string;
  events?: DispatcherEvents;
  heartbeat?: { periodMs: number; silenceMs: number };
}): Promise<Dispatcher> {
  const { host, events = {} } = options;
  const { periodMs, silenceMs } = options.heartbeat ?? { periodMs: PING_PERIOD_MS, silenceMs: WORKER_SILENCE_MS };
  const token = options.token ?? createToken();
  const members = new Set<Member>();
  /** Called whenever a worker comes, goes, or becomes idle. */
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watcher of watchers) watcher();
  };
  let jobs = 0;
  let dismissed = false;

  const http = createServer((_request, response) => {
    response.writeHead(426).end('workers only');
  });
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: LARGEST_MESSAGE_BYTES });
  http.on('upgrade', (request, socket, head) => {
    const [, given = ''] = /^Bearer (.*)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!isToken(given, token)) {
      refuseUpgrade(socket);
      return;
    }
    sockets.handleUpgrade(request, socket, head, admit);
  });

  function admit(socket: WebSocket): void {
    let member: Member | null = null;
    let heardMs = performance.now();
    const pinger = setInterval(() => {
      if (performance.now() - heardMs > silenceMs) socket.terminate();
      else socket.ping();
    }, periodMs);
    socket.on('pong', () => {
      heardMs = performance.now();
    });
    socket.on('message', (data) => {
      heardMs = performance.now();
      const message = readMessage(data.toString());
      if (message === null || (message.type === 'hello') !== (member === null)) {
        return socket.close(1008, 'not a message of the protocol');
      }
      if (message.type === 'hello') {
        member = join(message, socket);
      } else if (message.type === 'leaving') {
        member!.leaving = message.why;
        events.onLeaving?.(member!.worker, message.why);
        settle(member!, LEAVING_TEXTS[message.why]);
      } else if (message.job === member!.job) {
        settle(member!, badEnd(message));
        member!.worker.busy = false;
        changed();
      }
    });
    socket.on('close', () => {
      clearInterval(pinger);
      if (member !== null) part(member);
    });
    // What follows an error is a close.
    socket.on('error', () => socket.terminate());
  }

  function join(hello: Hello, socket: WebSocket): Member {
    const { type: _, ...self } = hello;
    const member: Member = {
      worker: { ...self, busy: false },
      send: (message) => socket.send(JSON.stringify(message)),
      cut: () => socket.terminate(),
      settle: null,
      job: -1,
      leaving: null,
    };
    members.add(member);
    if (dismissed) sendHome(member);
    events.onConnected?.(member.worker);
    changed();
    return member;
  }

  function part(member: Member): void {
    members.delete(member);
    settle(member, 'was lost: its connection to the dispatcher ended');
    events.onLeft?.(member.worker, member.leaving ?? 'lost');
    changed();
  }

  function settle(member: Member, problem: string | null): void {
    member.settle?.(problem);
    member.settle = null;
  }

  function sendHome(member: Member): void {
    member.leaving = 'over';
    member.send({ type: 'over' });
  }

  const idle = ({ role, group }: Omit<Wanted, 'count'>) =>
    [...members].filter(
      ({ worker, leaving }) =>
        worker.role === role &&
        !worker.busy &&
        leaving === null &&
        (group === undefined || worker.group === null || worker.group === group),
    );

  /** Resolves when the condition holds, which is looked at whenever something changed. */
  function until(condition: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settleWith = (end: () => void) => {
        watchers.delete(check);
        signal.removeEventListener('abort', onAbort);
        end();
      };
      const check = () => condition() && settleWith(resolve);
      const onAbort = () => settleWith(() => reject(signal.reason));
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort);
      watchers.add(check);
      check();
    });
  }

  const shortfall = (wanted: Wanted) => Math.max(0, wanted.count - idle(wanted).length);

  function launchOn(member: Member, { name, entry, arguments: args, environment }: Job): Promise<string | null> {
    const job = jobs++;
    Object.assign(member, { job });
    member.worker.busy = true;
    member.send({ type: 'job', job, entry, arguments: args, environment });
    return new Promise((resolve) => {
      member.settle = (problem) =>
        resolve(problem === null ? null : `the ${name} process on ${member.worker.name} ${problem}`);
    });
  }

  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port ?? 0, host, resolve);
  });
  const { port } = http.address() as { port: number };

  return {
    port,
    token,
    get workers() {
      return [...members].map(({ worker }) => worker);
    },
    shortfall,
    untilIdle: (wanted, signal) => until(() => wanted.every((each) => shortfall(each) === 0), signal),

    fleet({ name, network, addressOf = ({ address }) => address }) {
      const mine = new Set<Member>();
      let stopping = false;
      return {
        name,
        network,
        async launch(job) {
          const { group, copies } = job;
          const chosen = idle({ role: job.name as Role, group }).slice(0, copies);
          if (chosen.length < copies) {
            const where = group === undefined ? '' : ` in ${group}`;
            const problem = `the ${job.name} process could not be started: no container${where} is free for it`;
            return { addresses: [], failed: Promise.resolve(problem) };
          }
          const ends = chosen.map((member) => {
            mine.add(member);
            return launchOn(member, job).then((problem) => (stopping ? null : problem));
          });
          return { addresses: chosen.map(({ worker }) => addressOf(worker)), failed: firstFailure(ends) };
        },
        async stop() {
          stopping = true;
          const atWork = [...mine].filter((member) => members.has(member) && member.worker.busy);
          for (const member of atWork) member.send({ type: 'stop', job: member.job });
          const isDone = (member: Member) => !members.has(member) || !member.worker.busy;
          await until(() => atWork.every(isDone), AbortSignal.timeout(STOP_LIMIT_MS)).catch(() => {
            for (const member of atWork) if (!isDone(member)) member.cut();
          });
          mine.clear();
        },
      };
    },

    async dismiss(limitMs) {
      dismissed = true;
      for (const member of members) sendHome(member);
      // Those that do not go are left to their own clocks.
      await until(() => members.size === 0, AbortSignal.timeout(limitMs)).catch(() => {});
    },

    async close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

function readMessage(text: string): MessageToDispatcher | null {
  try {
    return messageToDispatcher.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

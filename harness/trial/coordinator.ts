/**
 * The coordinator: serves the page, lets in the processes that know the trial's token, tells them the time, passes
 * their records on and holds the line to each. What happens when in a trial is not its business; see trial.ts.
 */
import { createServer } from 'node:http';
import sirv from 'sirv';
import { type WebSocket, WebSocketServer } from 'ws';
import { refuseUpgrade } from '../../infra/channel/refuse-upgrade.ts';
import { createToken, pathBehindToken, redact } from '../../infra/channel/token.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { nowMs } from '../clock.ts';
import { PING_PERIOD_MS } from './control-connection.ts';
import { type MessageOf, type MessageToCoordinator, type MessageToProcess, messageToCoordinator } from './protocol.ts';

/** What is taken from one process, which is cut off where it sends more. */
export interface SizeLimits {
  messageBytes: number;
  /** All its records together. */
  recordBytes: number;
}
/** Larger than any saved state that was seen, and a hundred times what a user of the largest trial records. */
const SIZE_LIMITS: SizeLimits = { messageBytes: 64 * 2 ** 20, recordBytes: 256 * 2 ** 20 };

/** One process of the trial, as the coordinator knows it. */
export interface Member {
  role: 'user' | 'server';
  /** The user's number; null for the server. */
  user: number | null;
  send(message: Exclude<MessageToProcess, { type: 'time' }>): void;
  /** The next message of this type, also one that came before. Rejects when the signal aborts. */
  expect<T extends Expected>(type: T, signal: AbortSignal): Promise<MessageOf<T>>;
}
type Expected = 'ready' | 'marker-shown' | 'document-state' | 'cpu-profile' | 'outcome';

export interface CoordinatorEvents {
  onRecords(member: Member, lines: RecordLine[]): void;
  /** A process says that it cannot go on. */
  onFailed(member: Member, message: string): void;
  onDisconnected(member: Member): void;
}

export interface Coordinator {
  /** Where processes connect to; it holds the token. */
  controlUrl(host: string): string;
  pageUrl(host: string): string;
  /** What whoever connects must know; a secret of the trial. */
  token: string;
  server: Member | null;
  /** Those that have come, by number. */
  readonly users: readonly Member[];
  /** Resolves once so many users (and, where asked, the server) have come. */
  untilConnected(wanted: { users: number; server: boolean }, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param options.host the interface to listen on; loopback unless the fleet is remote
 * @param options.port 0 or absent: any free one
 * @param options.users how many there are to be; absent: any number
 * @param options.pageFolder the built page
 */
export async function startCoordinator(options: {
  host: string;
  port?: number;
  users?: number;
  limits?: SizeLimits;
  pageFolder: string;
  events: CoordinatorEvents;
}): Promise<Coordinator> {
  const { host, port: wantedPort = 0, users: most = Number.POSITIVE_INFINITY, pageFolder, events } = options;
  const { messageBytes, recordBytes: mostRecordBytes } = options.limits ?? SIZE_LIMITS;
  const token = createToken();
  const users = new Map<number, Member>();
  let server: Member | null = null;
  let closing = false;
  const arrivals = new Set<() => void>();

  const servePage = sirv(pageFolder, { etag: true });
  const http = createServer((request, response) => {
    const path = pathBehindToken(request.url, token);
    if (path === null) {
      response.writeHead(403).end('this address needs the token of the trial');
      return;
    }
    // Isolation gives the page its clock with a resolution of 5 µs instead of 100 µs.
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    request.url = path;
    servePage(request, response, () => {
      response.writeHead(404).end('no such page');
    });
  });
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: messageBytes });
  http.on('upgrade', (request, socket, head) => {
    if (pathBehindToken(request.url, token) !== '/control') {
      refuseUpgrade(socket);
      return;
    }
    sockets.handleUpgrade(request, socket, head, admit);
  });

  /** Who a newcomer is; null where its place is taken, or there is none. */
  function whoSays({ role, user }: MessageOf<'hello'>): Pick<Member, 'role' | 'user'> | null {
    if (role === 'server') return server === null ? { role, user: null } : null;
    let number = user ?? 0;
    while (user === null && users.has(number)) number++;
    return number < most && !users.has(number) ? { role, user: number } : null;
  }

  const pinger = setInterval(() => {
    for (const socket of sockets.clients) socket.ping();
  }, PING_PERIOD_MS);

  function admit(socket: WebSocket): void {
    let member: Member | null = null;
    let deliver: (message: MessageToCoordinator) => void = () => {};
    let recordBytes = 0;
    let handedIn = false;
    let refused = false;
    const refuse = (why: string) => {
      refused = true;
      if (member !== null) events.onFailed(member, `it was cut off: ${why}`);
      socket.close(1008, why);
    };
    socket.on('message', (data) => {
      const receivedMs = nowMs();
      // What was on its way already.
      if (refused) return;
      // What a process says ends up in files: profiles and error messages hold addresses, and those the token.
      const text = redact(data.toString(), token);
      const message = readMessage(text);
      if (message === null) return refuse('not a message of the protocol');
      if (message.type === 'hello') {
        const admitted = member === null ? whoSays(message) : null;
        if (admitted === null) return refuse('nobody more is expected');
        const mailbox = createMailbox();
        deliver = mailbox.deliver;
        member = { ...admitted, send: (order) => socket.send(JSON.stringify(order)), expect: mailbox.expect };
        if (member.user === null) server = member;
        else users.set(member.user, member);
        for (const arrived of arrivals) arrived();
        return;
      }
      if (message.type === 'time') {
        socket.send(JSON.stringify({ type: 'time', sentMs: message.sentMs, coordinatorMs: receivedMs }));
        return;
      }
      if (member === null) return refuse('it must say hello first');
      if (handedIn) return refuse('it had handed in everything already');
      switch (message.type) {
        case 'records': {
          recordBytes += Buffer.byteLength(text);
          const foreign = message.lines.find((line) => !isOwnLine(line, member!));
          if (foreign !== undefined) return refuse(`its record may hold no such "${foreign.type}" line`);
          if (recordBytes > mostRecordBytes) return refuse('its record is too large');
          events.onRecords(member, message.lines);
          return;
        }
        case 'failed':
          events.onFailed(member, message.message);
          return;
        case 'outcome':
          handedIn = true;
          return deliver(message);
        default:
          return deliver(message);
      }
    });
    socket.on('close', () => {
      if (member !== null && !closing) events.onDisconnected(member);
    });
    // What follows an error is a close.
    socket.on('error', () => socket.terminate());
  }

  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(wantedPort, host, resolve);
  });
  const { port } = http.address() as { port: number };

  return {
    controlUrl: (reachedAt) => `ws://${reachedAt}:${port}/${token}/control`,
    pageUrl: (reachedAt) => `http://${reachedAt}:${port}/${token}/`,
    token,
    get server() {
      return server;
    },
    get users() {
      return [...users.values()].sort((a, b) => a.user! - b.user!);
    },
    untilConnected: (wanted, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const check = () => {
          if (users.size < wanted.users || (wanted.server && server === null)) return;
          arrivals.delete(check);
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        const onAbort = () => {
          arrivals.delete(check);
          reject(signal.reason);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        arrivals.add(check);
        check();
      }),
    async close() {
      closing = true;
      clearInterval(pinger);
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

/** A process writes of itself only: of the trial as a whole, the coordinator does. */
function isOwnLine(line: RecordLine, { role, user }: Member): boolean {
  if (line.type === 'trial' || line.type === 'phase' || line.type === 'convergence') return false;
  return line.type !== 'process' || (line.role === role && (line.user ?? null) === user);
}

function readMessage(text: string): MessageToCoordinator | null {
  try {
    return messageToCoordinator.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Holds messages until they are asked for, by type, in order. */
function createMailbox() {
  const waiting = new Map<string, MessageToCoordinator[]>();
  const askers = new Map<string, ((message: MessageToCoordinator) => void)[]>();
  return {
    deliver(message: MessageToCoordinator): void {
      const asker = askers.get(message.type)?.shift();
      if (asker !== undefined) asker(message);
      else waiting.set(message.type, [...(waiting.get(message.type) ?? []), message]);
    },
    expect<T extends Expected>(type: T, signal: AbortSignal): Promise<MessageOf<T>> {
      const message = waiting.get(type)?.shift();
      if (message !== undefined) return Promise.resolve(message as MessageOf<T>);
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const asker = (answer: MessageToCoordinator) => {
          signal.removeEventListener('abort', onAbort);
          resolve(answer as MessageOf<T>);
        };
        const onAbort = () => {
          // A late answer to this question must not be taken for the answer to the next one's asker.
          const list = askers.get(type)!;
          list.splice(list.indexOf(asker), 1);
          reject(signal.reason);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        askers.set(type, [...(askers.get(type) ?? []), asker]);
      });
    },
  };
}

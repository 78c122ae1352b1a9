/**
 * The coordinator: serves the page, lets in the processes that know the trial's token, tells them the time, passes
 * their records on and holds the line to each. What happens when in a trial is not its business; see trial.ts.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import sirv from 'sirv';
import { type WebSocket, WebSocketServer } from 'ws';
import type { RecordLine } from '../../results/records.ts';
import { nowMs } from '../clock.ts';
import { PING_PERIOD_MS } from './control-connection.ts';
import { type MessageOf, type MessageToCoordinator, type MessageToProcess, messageToCoordinator } from './protocol.ts';

/** Larger than any saved state or batch of records that was seen; a process that sends more is cut off. */
const LARGEST_MESSAGE_BYTES = 64 * 2 ** 20;

/** One process of the trial, as the coordinator knows it. Users are numbered in the order in which they came. */
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
  server: Member | null;
  users: readonly Member[];
  /** Resolves once so many users (and, where asked, the server) have come. */
  untilCame(wanted: { users: number; server: boolean }, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param options.host the interface to listen on; loopback unless the fleet is remote
 * @param options.pageFolder the built page
 */
export async function startCoordinator(options: {
  host: string;
  pageFolder: string;
  events: CoordinatorEvents;
}): Promise<Coordinator> {
  const { host, pageFolder, events } = options;
  const token = randomBytes(24).toString('base64url');
  const users: Member[] = [];
  let server: Member | null = null;
  let closing = false;
  const arrivals = new Set<() => void>();

  const servePage = sirv(pageFolder, { etag: true });
  const http = createServer((request, response) => {
    const path = pathBehindToken(request, token);
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
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: LARGEST_MESSAGE_BYTES });
  http.on('upgrade', (request, socket, head) => {
    if (pathBehindToken(request, token) !== '/control') {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, admit);
  });
  const pinger = setInterval(() => {
    for (const socket of sockets.clients) socket.ping();
  }, PING_PERIOD_MS);

  function admit(socket: WebSocket): void {
    let member: Member | null = null;
    let deliver: (message: MessageToCoordinator) => void = () => {};
    socket.on('message', (data) => {
      const receivedMs = nowMs();
      const message = readMessage(data.toString());
      if (message === null) return socket.close(1008, 'not a message of the protocol');
      switch (message.type) {
        case 'time':
          socket.send(JSON.stringify({ type: 'time', sentMs: message.sentMs, coordinatorMs: receivedMs }));
          return;
        case 'hello': {
          if (member !== null) return;
          const user = message.role === 'user' ? users.length : null;
          const mailbox = createMailbox();
          deliver = mailbox.deliver;
          member = {
            role: message.role,
            user,
            send: (order) => socket.send(JSON.stringify(order)),
            expect: mailbox.expect,
          };
          if (message.role === 'user') users.push(member);
          else server = member;
          for (const arrived of arrivals) arrived();
          return;
        }
        case 'records':
          if (member !== null) events.onRecords(member, message.lines);
          return;
        case 'failed':
          if (member !== null) events.onFailed(member, message.message);
          return;
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
    http.listen(0, host, resolve);
  });
  const { port } = http.address() as { port: number };

  return {
    controlUrl: (reachedAt) => `ws://${reachedAt}:${port}/${token}/control`,
    pageUrl: (reachedAt) => `http://${reachedAt}:${port}/${token}/`,
    get server() {
      return server;
    },
    users,
    untilCame: (wanted, signal) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (users.length < wanted.users || (wanted.server && server === null)) return;
          arrivals.delete(check);
          resolve();
        };
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
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

/** @returns the path after `/<token>`, or null where the token is missing or wrong; compared in constant time */
function pathBehindToken(request: IncomingMessage, token: string): string | null {
  const [, given = '', ...rest] = (request.url ?? '').split('/');
  const [expected, seen] = [Buffer.from(token), Buffer.from(given)];
  if (expected.length !== seen.length || !timingSafeEqual(expected, seen)) return null;
  return `/${rest.join('/')}`;
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

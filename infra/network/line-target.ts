/** Where a delay line leads: a server of a trial, by TCP; or one that somebody else runs, by an address of its own. */
import { createConnection, isIP, type Socket, type SocketConstructorOpts } from 'node:net';
import { connect as connectTls, createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { messageOf } from '../../results/user-error.ts';
import { createFrameReader, OPCODES } from './websocket-frames.ts';

/** The bytes of one connection on their way. */
export interface Passage {
  /** @returns the bytes that the server gets instead; null: nothing, as whoever sends them is to be let go */
  there(chunk: Buffer): Buffer | null;
  /** Sees what the server sent. */
  back(chunk: Buffer): void;
  /** The connection ended at the server's side, or could not be opened there, while the client held it. */
  ended(error: Error | null): void;
}

export interface LineTarget {
  /** @param more options of the socket, in place of the target's own */
  connect(more?: Pick<SocketConstructorOpts, 'allowHalfOpen' | 'onread'>): Socket;
  /** Called for each connection; absent: bytes pass as they are. */
  passage?(): Passage;
}

/** A server that takes connections as they come. */
export function tcpTarget(place: { host: string; port: number }): LineTarget {
  return { connect: (more) => createConnection({ ...place, noDelay: true, allowHalfOpen: true, ...more }) };
}

/** The same at the place that an address names. @param usualPort where it names no port */
export function targetAt(url: URL, usualPort?: number): LineTarget {
  return tcpTarget({ host: hostOf(url), port: Number(url.port || usualPort) });
}

/** The host as sockets know it: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** A host as addresses hold it: an IPv6 address within brackets. */
export function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** The address of a server that somebody else runs, and what it asks of whoever connects. */
export interface ForeignAddress {
  /** `wss://host:port/path?query`, as each connection asks for it. */
  url: string;
  /** Sent beside the client's own, or in their place. */
  headers: Readonly<Record<string, string>>;
  /** Certificates that are trusted instead of the system's, as PEM; null: the system's. */
  ca: string | null;
}

/** Authorities that TLS trusts. Node alone has a list of its own, without what a company or a developer added to the system's. */
export function authoritiesOf(ca: ForeignAddress['ca']): string[] {
  return ca === null ? [...getCACertificates('default'), ...getCACertificates('system')] : [ca];
}

/** Made once: hundreds of certificates are read for each. */
const trusts = new Map<string | null, SecureContext>();

function trustIn(ca: ForeignAddress['ca']): SecureContext {
  const made = trusts.get(ca);
  if (made !== undefined) return made;
  const trust = createSecureContext({ ca: authoritiesOf(ca) });
  trusts.set(ca, trust);
  return trust;
}

/** How a foreign server ended a connection, or would not have it. */
export type Ending =
  | { by: 'status'; status: number }
  /** As the server sent it; 1005: without a code. */
  | { by: 'close'; code: number; reason: string }
  /** Cut without a word; `quietMs`: for how long nothing had come or gone by then. */
  | { by: 'cut'; quietMs: number }
  | { by: 'error'; code: string; message: string };

type Admits = (path: string) => boolean;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'ws:': 80, 'wss:': 443 };

/** The port that an address of WebSockets means; `URL` leaves the usual one out, also if it is named. */
export function portOf({ port, protocol }: URL): number {
  return Number(port) || DEFAULT_PORTS[protocol]!;
}

/**
 * @param onEnded           is told once a connection ended that the client did not end itself
 * @param options.onReached is told how long a TCP handshake took, which the system of the server, or of a proxy, answers
 * @param options.admits    looks at the path that a client asks the line for: it gets this user's headers, and with them the user's
 *                          rights. Absent: nobody else reaches the line
 */
export function foreignTarget(
  address: ForeignAddress,
  onEnded: (ending: Ending) => void,
  { onReached = () => {}, admits }: { onReached?: (handshakeMs: number) => void; admits?: Admits } = {},
): LineTarget {
  const url = new URL(address.url);
  const host = hostOf(url);
  const port = portOf(url);
  const socketOptions = { host, port, allowHalfOpen: true };
  // Only a name is told to the server, by RFC 6066; the certificate must hold for either.
  const servername = isIP(host) === 0 ? host : undefined;
  return {
    connect(more) {
      const options = { ...socketOptions, ...more };
      const socket =
        url.protocol === 'wss:'
          ? connectTls({ ...options, servername, secureContext: trustIn(address.ca), ALPNProtocols: ['http/1.1'] })
          : createConnection(options);
      timeHandshake(socket, onReached);
      return socket.setNoDelay(true);
    },
    passage: () => createPassage(url, { headers: address.headers, onEnded, admits }),
  };
}

/** Of the address that answered, without the look-up of its name. */
function timeHandshake(socket: Socket, onReached: (handshakeMs: number) => void): void {
  let fromMs = performance.now();
  socket.on('connectionAttempt', () => {
    fromMs = performance.now();
  });
  socket.once('connect', () => onReached(performance.now() - fromMs));
}

/** A request's or an answer's head ends so. */
export const HEAD_END = '\r\n\r\n';
const MOST_HEAD_BYTES = 64 * 1024;
const SWITCHING_PROTOCOLS = 101;
const NO_CODE = 1005;

/** Gives the connection's request the server's own address, and reads how the connection ends. */
function createPassage(
  url: URL,
  options: { headers: ForeignAddress['headers']; onEnded: (ending: Ending) => void; admits?: Admits },
): Passage {
  const { headers, onEnded, admits = () => true } = options;
  const request = createHead();
  const answer = createHead();
  /** One side has said goodbye, so that the end of the connection is no news. */
  let isOver = false;
  const hearClient = createFrameReader({
    onControl(opcode) {
      if (opcode === OPCODES.close) isOver = true;
    },
  });
  const hearServer = createFrameReader({
    onControl(opcode, payload) {
      if (opcode !== OPCODES.close || isOver) return;
      isOver = true;
      const code = payload.length >= 2 ? payload.readUInt16BE(0) : NO_CODE;
      onEnded({ by: 'close', code, reason: payload.toString('utf8', 2) });
    },
  });
  let lastMs = performance.now();
  let isAsked = false;
  let status: number | null = null;
  return {
    there(chunk) {
      lastMs = performance.now();
      if (isAsked) {
        hearClient(chunk);
        return chunk;
      }
      const { head, rest } = request.take(chunk);
      if (head === null) return Buffer.alloc(0);
      if (!admits(head.split(' ')[1] ?? '')) return null;
      isAsked = true;
      return Buffer.concat([Buffer.from(rewriteRequest(head, url, headers), 'latin1'), rest]);
    },
    back(chunk) {
      lastMs = performance.now();
      if (status !== null) {
        if (status === SWITCHING_PROTOCOLS) hearServer(chunk);
        return;
      }
      const { head, rest } = answer.take(chunk);
      if (head === null) return;
      status = Number(head.match(/^HTTP\/1\.\d (\d{3})/)?.[1] ?? 0);
      if (status === SWITCHING_PROTOCOLS) hearServer(rest);
      else onEnded({ by: 'status', status });
    },
    ended(error) {
      const isRefused = status !== null && status !== SWITCHING_PROTOCOLS;
      if (isRefused || isOver) return;
      if (status === null && error !== null) {
        onEnded({ by: 'error', code: (error as NodeJS.ErrnoException).code ?? '', message: messageOf(error) });
      } else onEnded({ by: 'cut', quietMs: performance.now() - lastMs });
    },
  };
}

/** Collects bytes until a head is whole, or is longer than any. */
export function createHead(): { take(chunk: Buffer): { head: string | null; rest: Buffer } } {
  let held = Buffer.alloc(0);
  return {
    take(chunk) {
      held = Buffer.concat([held, chunk]);
      const end = held.indexOf(HEAD_END);
      if (end === -1 && held.length <= MOST_HEAD_BYTES) return { head: null, rest: Buffer.alloc(0) };
      const bodyAt = end === -1 ? held.length : end + HEAD_END.length;
      return { head: held.subarray(0, bodyAt).toString('latin1'), rest: held.subarray(bodyAt) };
    },
  };
}

/**
 * The request of a WebSocket as the server shall get it. It comes from the server's own origin, as its pages would, unless a
 * header says otherwise.
 */
function rewriteRequest(head: string, url: URL, headers: ForeignAddress['headers']): string {
  const [, ...lines] = head.slice(0, -HEAD_END.length).split('\r\n');
  const origin = `${url.protocol === 'wss:' ? 'https' : 'http'}://${url.host}`;
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const nameOf = (line: string) => line.slice(0, line.indexOf(':')).toLowerCase();
  // A name that comes again, in whichever case, takes the place of the one before.
  const given = new Map([`Host: ${url.host}`, `Origin: ${origin}`, ...named].map((line) => [nameOf(line), line]));
  const kept = lines.filter((line) => !given.has(nameOf(line)));
  return [`GET ${url.pathname}${url.search} HTTP/1.1`, ...given.values(), ...kept].join('\r\n') + HEAD_END;
}

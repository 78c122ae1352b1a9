/**
 * WebSockets between users and a server in one process, on a virtual clock. A client's end is as the browser has it, a
 * server's as `ws` has it, each as far as frameworks use it. Every frame takes its user's link.
 */
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { WebSocket as ServerWebSocket } from 'ws';
import { createLane, type Link } from '../network/link.ts';
import type { VirtualClock } from './clock.ts';

/** Shortest way over loopback and into a server's reading loop, ms: nothing arrives at the instant at which it is sent. */
const TRANSIT_MS = 0.5;
/** RFC 6455, section 7.4.1: what a browser tells of a close without a code. */
const NO_CODE = 1005;

/** One WebSocket message: text or binary, as the client sent it. */
export type Frame = string | Uint8Array;

/** One user's way to the server, which all its connections take. */
export interface Line {
  link: Link;
  seed: number;
  onConnect(path: string): void;
  onSent(frame: Frame): void;
  /** Gets what would now be handed to the client; calls `deliver` then, or later, in order. */
  onArriving(arrivedMs: number, deliver: () => void): void;
}

export interface VirtualNetwork {
  /** Where the server's connections come from. */
  connections: EventEmitter;
  /** The client's class; sockets that are opened take the line that was named last. */
  WebSocket: typeof WebSocket;
  use(line: Line): void;
}

export function createVirtualNetwork(clock: VirtualClock): VirtualNetwork {
  const connections = new EventEmitter();
  let line: Line | null = null;
  return {
    connections,
    use(next) {
      line = next;
    },
    WebSocket: class extends ClientSocket {
      constructor(url: string | URL) {
        if (line === null) throw new Error('a socket was opened outside every simulated user');
        super(new URL(url), clock, line);
        this.connect((socket, request) => connections.emit('connection', socket, request));
      }
    } as unknown as typeof WebSocket,
  };
}

/** Carries things one way, in order. */
function createWay(clock: VirtualClock, link: Link, seed: number): (bytes: number) => number {
  const lane = createLane(link, seed);
  let lastMs = 0;
  return (bytes) => {
    lastMs = Math.max(lastMs, lane(clock.nowMs(), bytes) + TRANSIT_MS);
    return lastMs;
  };
}

type Listener = (event: object) => void;

class ClientSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readonly CLOSED = 3;
  readonly url: string;
  readonly protocol = '';
  readonly bufferedAmount = 0;
  binaryType = 'blob';
  readyState = 0;
  onopen: Listener | null = null;
  onmessage: Listener | null = null;
  onclose: Listener | null = null;
  onerror: Listener | null = null;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #clock: VirtualClock;
  readonly #line: Line;
  readonly #path: string;
  readonly #there: (bytes: number) => number;
  readonly #back: (bytes: number) => number;
  #server: ServerSocket | null = null;

  constructor(url: URL, clock: VirtualClock, line: Line) {
    this.url = url.href;
    this.#clock = clock;
    this.#line = line;
    this.#path = url.pathname + url.search;
    this.#there = createWay(clock, line.link, 2 * line.seed + 1);
    this.#back = createWay(clock, line.link, 2 * line.seed + 2);
    line.onConnect(this.#path);
  }

  connect(accept: (socket: ServerWebSocket, request: IncomingMessage) => void): void {
    this.#clock.at(this.#there(0), () => {
      const server = new ServerSocket((parcel) => this.#arrive(parcel));
      this.#server = server;
      this.#arrive('open');
      accept(server as unknown as ServerWebSocket, { url: this.#path, headers: {} } as IncomingMessage);
    });
  }

  addEventListener(type: string, listener: Listener): void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener);
  }

  send(data: string | ArrayBuffer | ArrayBufferView): void {
    if (this.readyState === this.CONNECTING) throw new DOMException('the socket is not open yet', 'InvalidStateError');
    if (this.readyState !== this.OPEN) return;
    // A copy: the library may use its buffer again.
    const frame = typeof data === 'string' ? data : bytesOf(data).slice();
    this.#line.onSent(frame);
    const server = this.#server!;
    this.#clock.at(this.#there(frame.length), () => server.receive(frame));
  }

  close(code = NO_CODE, reason = ''): void {
    if (this.readyState >= this.CLOSING) return;
    this.readyState = this.CLOSING;
    const server = this.#server;
    this.#clock.at(this.#there(0), () => {
      if (server === null) this.#ended(code, reason);
      else server.close(code, reason);
    });
  }

  #arrive(parcel: Parcel): void {
    const arrivedMs = this.#back(typeof parcel === 'string' || !('data' in parcel) ? 0 : sizeOf(parcel.data));
    this.#line.onArriving(arrivedMs, () => {
      if (parcel === 'open') {
        if (this.readyState !== this.CONNECTING) return;
        this.readyState = this.OPEN;
        this.#dispatch('open', {});
      } else if ('data' in parcel) {
        if (this.readyState === this.OPEN) this.#dispatch('message', parcel);
      } else this.#ended(parcel.code, parcel.reason);
    });
  }

  #ended(code: number, reason: string): void {
    if (this.readyState === this.CLOSED) return;
    this.readyState = this.CLOSED;
    this.#dispatch('close', { code, reason, wasClean: true });
  }

  #dispatch(type: 'open' | 'message' | 'close', event: object): void {
    this[`on${type}`]?.(event);
    for (const listener of this.#listeners.get(type) ?? []) listener({ type, ...event });
  }
}

/** One thing that a server sends: its acceptance, a message, or the end. */
type Parcel = 'open' | { data: string | ArrayBuffer } | { code: number; reason: string };

class ServerSocket extends EventEmitter {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readonly CLOSED = 3;
  readonly bufferedAmount = 0;
  binaryType = 'nodebuffer';
  readyState = 1;
  readonly #send: (parcel: Parcel) => void;

  constructor(send: (parcel: Parcel) => void) {
    super();
    this.#send = send;
  }

  send(data: string | Uint8Array | ArrayBuffer, options?: unknown, callback?: () => void): void {
    if (this.readyState !== this.OPEN) return;
    this.#send({ data: typeof data === 'string' ? data : sharedBuffer(data) });
    (typeof options === 'function' ? options : callback)?.();
  }

  receive(frame: Frame): void {
    if (this.readyState !== this.OPEN) return;
    const isBinary = typeof frame !== 'string';
    const data = isBinary ? Buffer.from(frame.buffer, frame.byteOffset, frame.length) : Buffer.from(frame);
    this.emit('message', data, isBinary);
  }

  ping(): void {
    // No line of a simulation breaks.
    this.emit('pong', Buffer.alloc(0));
  }

  close(code = NO_CODE, reason = ''): void {
    if (this.readyState === this.CLOSED) return;
    this.readyState = this.CLOSED;
    this.#send({ code, reason });
    this.emit('close', code, Buffer.from(reason));
  }

  terminate(): void {
    this.close();
  }
}

/** Servers send one message to many; whoever gets it only reads it. */
const buffers = new WeakMap<Uint8Array | ArrayBuffer, ArrayBuffer>();
function sharedBuffer(data: Uint8Array | ArrayBuffer): ArrayBuffer {
  let buffer = buffers.get(data);
  if (buffer === undefined) {
    buffer = bytesOf(data).slice().buffer as ArrayBuffer;
    buffers.set(data, buffer);
  }
  return buffer;
}

function bytesOf(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

function sizeOf(data: string | ArrayBuffer): number {
  return typeof data === 'string' ? data.length : data.byteLength;
}

/**
 * A channel: one WebSocket between two processes of the project, as one of its ends sees it. Messages are JSON and
 * checked against a schema, binary frames carry the content of what a message announced. Both ends ping, and give up an
 * end that is silent. A channel that ended stays ended: whoever wants another opens one.
 */

import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type * as z from 'zod';
import { portOf } from '../network/line-target.ts';
import { sealError, sealOfCaller } from './seal.ts';

/** Each end pings the other this often. */
const PING_PERIOD_MS = 10_000;
/** An end that has said nothing for so long, nor answered a ping, is given up. */
export const SILENCE_MS = 60_000;
/** The largest message that an end takes, unless its options say otherwise. */
export const LARGEST_MESSAGE_BYTES = 100 * 2 ** 20;
/** Messages of `inform` are left out while more than this waits to be sent. */
const CROWDED_BYTES = 4 * 2 ** 20;
/** Bytes travel in frames of this size. */
const FRAME_BYTES = 2 ** 20;
/** RFC 6455, section 7.4.1: the other end said what it may not say. */
const POLICY_VIOLATION = 1008;
/** RFC 6455, section 5.5: what a closing frame has room for beside its code. */
const LONGEST_REASON_BYTES = 123;

/** The connection ended, or its other end fell silent: nobody broke the protocol. */
export class LostConnection extends Error {}

/** How a message came. */
export interface Arrival {
  /** When, in milliseconds since the epoch on this process's clock, with its full resolution. */
  atMs: number;
  bytes: number;
}

/**
 * Deals with what arrives, one after the other: the next waits while one returns a promise, and is dealt with in the turn
 * in which it came if none does. What either throws ends the channel, and is the reason that the other end is told.
 */
export interface Receiver<In> {
  onMessage(message: In, arrival: Arrival): void | Promise<void>;
  /** Absent: bytes are not of the protocol. */
  onBytes?(bytes: Buffer): void | Promise<void>;
}

export interface ChannelOptions<In> {
  /** Messages that arrive must match it. */
  schema: z.ZodType<In>;
  /** How long the other end may be silent; `SILENCE_MS` unless given. */
  silenceMs?: number;
}

export class Channel<In, Out> {
  /** The address by which this machine reached the other; null at the end that listens. */
  readonly localAddress: string | null;
  /** The address from which the other end comes; null at the end that opened the channel. */
  readonly remoteAddress: string | null;
  readonly #socket: WebSocket;
  readonly #schema: z.ZodType<In>;
  readonly #readText: (text: string) => string;
  readonly #ended = new AbortController();
  readonly #waiting: { data: Buffer; isBinary: boolean; arrival: Arrival }[] = [];
  #receiver: Receiver<In> | null = null;
  #isDealing = false;
  #loss: LostConnection | null = null;
  #heardMs = performance.now();

  /**
   * @param socket           one that is open
   * @param options.readText changes each message's text before it is read
   */
  constructor(
    socket: WebSocket,
    options: ChannelOptions<In> & {
      readText?: (text: string) => string;
      localAddress?: string | null;
      remoteAddress?: string | null;
    },
  ) {
    const { schema, silenceMs = SILENCE_MS, readText = (text) => text } = options;
    const { localAddress = null, remoteAddress = null } = options;
    this.#socket = socket;
    this.#schema = schema;
    this.#readText = readText;
    this.localAddress = localAddress;
    this.remoteAddress = remoteAddress;
    const watch = setInterval(() => this.#watch(silenceMs), Math.min(PING_PERIOD_MS, silenceMs / 4));
    socket.on('ping', () => this.#hear());
    socket.on('pong', () => this.#hear());
    socket.on('message', (data: Buffer, isBinary) => this.#arrive(data, isBinary));
    socket.on('close', (_code, reason) => {
      clearInterval(watch);
      const why = reason.toString();
      this.#loss = new LostConnection(`the connection ended${why && `: ${why}`}`);
      void this.#deal();
    });
    // A close follows each error.
    socket.on('error', () => socket.terminate());
  }

  /** Aborts when the channel has ended, with an Error that says why: a `LostConnection`, or what a receiver threw. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** When the other end was last heard, on the clock of `performance.now()`. */
  get heardMs(): number {
    return this.#heardMs;
  }

  /** Sets the receiver of all messages, also of those that came before; called once. */
  receive(receiver: Receiver<In>): void {
    this.#receiver = receiver;
    void this.#deal();
  }

  /** Messages that are sent after the end are lost. */
  send(message: Out): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Like `send`, for what can be done without: nothing is sent while much waits. */
  inform(message: Out): void {
    if (this.#socket.bufferedAmount < CROWDED_BYTES) this.send(message);
  }

  /** The content of what was announced last. Resolves when it is on its way; rejects if the channel ends before. */
  async sendBytes(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; from += FRAME_BYTES) {
      await new Promise<void>((resolve, reject) => {
        this.#socket.send(bytes.subarray(from, from + FRAME_BYTES), (error) => (error ? reject(error) : resolve()));
      });
    }
  }

  /** Ends it in order: what was sent before still arrives. */
  close(): void {
    this.#socket.close();
  }

  /** Ends it at once. */
  cut(): void {
    this.#socket.terminate();
  }

  #hear(): void {
    this.#heardMs = performance.now();
  }

  #watch(silenceMs: number): void {
    if (performance.now() - this.#heardMs > silenceMs) {
      this.#ended.abort(new LostConnection(`nothing was heard for ${Math.round(silenceMs / 1000)} s`));
      this.#socket.terminate();
    } else if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
  }

  #arrive(data: Buffer, isBinary: boolean): void {
    const arrival = { atMs: performance.timeOrigin + performance.now(), bytes: data.length };
    this.#hear();
    // A message that was on its way when this end gave the other up is dropped.
    if (this.ended.aborted) return;
    this.#waiting.push({ data, isBinary, arrival });
    void this.#deal();
  }

  /** Deals with all that waits, and then with the connection's end. */
  async #deal(): Promise<void> {
    if (this.#isDealing) return;
    this.#isDealing = true;
    try {
      while (this.#receiver !== null && this.#waiting.length > 0 && !this.ended.aborted) {
        const dealing = this.#dealWith(this.#waiting.shift()!, this.#receiver);
        // If there is nothing to await, this turn goes on: a question about the time is answered at once.
        if (dealing !== undefined) await dealing;
      }
    } catch (error) {
      this.#refuse(error as Error);
    }
    this.#isDealing = false;
    if (this.#loss !== null) this.#ended.abort(this.#loss);
  }

  #dealWith(
    { data, isBinary, arrival }: { data: Buffer; isBinary: boolean; arrival: Arrival },
    receiver: Receiver<In>,
  ): void | Promise<void> {
    if (!isBinary) return receiver.onMessage(this.#read(data), arrival);
    if (receiver.onBytes === undefined) throw new Error('bytes are not of the protocol');
    return receiver.onBytes(data);
  }

  #read(data: Buffer): In {
    try {
      return this.#schema.parse(JSON.parse(this.#readText(data.toString())));
    } catch (cause) {
      throw new Error('not a message of the protocol', { cause });
    }
  }

  /** Ends it because of what the other end said; nothing that it says afterwards is taken. */
  #refuse(error: Error): void {
    this.#waiting.length = 0;
    this.#ended.abort(error);
    const reason = Buffer.alloc(LONGEST_REASON_BYTES);
    // Whole characters only, as many as there is room for.
    const { written } = new TextEncoder().encodeInto(error.message, reason);
    this.#socket.close(POLICY_VIOLATION, reason.subarray(0, written));
  }
}

/** At the port that the address means, which another scheme would move. */
function sealedAt(address: string): string {
  const url = new URL(address);
  const port = portOf(url);
  url.protocol = 'wss:';
  url.port = String(port);
  return url.href;
}

/**
 * Tries once.
 *
 * @param options.url              `ws://host:port`, and the path where channels are opened
 * @param options.token            shown in a header; absent if the address holds it
 * @param options.isSealed         true: only with an end that has the same token, and nobody between can read it; see seal.ts
 * @param options.handshakeLimitMs how long the other end may take to let this one in; `silenceMs` unless given
 * @throws Error that says why it cannot be opened (`Unsealed` if the tokens differ), and the signal's reason if it aborts before
 */
export async function openChannel<In, Out>(
  options: ChannelOptions<In> & {
    url: string;
    token?: string;
    isSealed?: boolean;
    handshakeLimitMs?: number;
    signal?: AbortSignal;
  },
): Promise<Channel<In, Out>> {
  const { url, token, isSealed = false, signal, silenceMs = SILENCE_MS } = options;
  signal?.throwIfAborted();
  const socket = new WebSocket(isSealed ? sealedAt(url) : url, {
    ...(isSealed && sealOfCaller(token!)),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    maxPayload: LARGEST_MESSAGE_BYTES,
    handshakeTimeout: options.handshakeLimitMs ?? silenceMs,
  });
  let localAddress: string | null = null;
  socket.once('upgrade', ({ socket: tcp }: { socket: Socket }) => {
    localAddress = tcp.localAddress ?? null;
  });
  const giveUp = () => socket.terminate();
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    return await new Promise<Channel<In, Out>>((resolve, reject) => {
      // In the same turn, so that no message can come before there is a channel that keeps it.
      socket.once('open', () => resolve(new Channel(socket, { ...options, localAddress })));
      socket.on('error', (error) => reject(signal?.aborted ? signal.reason : sealError(error)));
    });
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

/**
 * One user's connection in a played crowd: a WebSocket over a socket of its own. It sends prepared frames and skips received
 * ones, which a library's socket would decode and copy: for a crowd, that is nearly all of the work.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { createHead, HEAD_END, type LineTarget, targetAt } from '../../infra/network/line-target.ts';
import { createFrameReader, type FrameListener, maskedFrame, OPCODES } from '../../infra/network/websocket-frames.ts';
import type { Frame } from '../../infra/virtual/network.ts';
import { messageOf } from '../../results/user-error.ts';

/** RFC 6455, section 1.3. */
const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/**
 * All sockets of the process read into it, one after the other, and nothing of it is kept. Less than it was all that there is, and the
 * next drain reads on; but whoever waits for an answer reads at once. TLS hands out 16 KiB at most, however much there is: it never rests.
 */
const READ_BUFFER = Buffer.allocUnsafe(2 ** 18);
/** Limit for the opening handshake, ms. */
const OPENING_LIMIT_MS = 15_000;

export interface PlayedSocket {
  /** Data that the server sent so far: messages, and the bytes of their payload. */
  readonly received: Readonly<Received>;
  send(frame: Buffer): void;
  /** Reads what has come since the last time; until then it waits in the system. */
  drain(): void;
  /** Resolves once the server has answered a ping, and so has read what was sent before. */
  ping(): Promise<void>;
  close(): void;
}

export interface Received {
  messages: number;
  bytes: number;
}

export interface Way {
  url: URL;
  /** How the server is reached; by default TCP, to where the address says. */
  target?: LineTarget;
}

interface PlayedSocketOptions extends Way {
  /** The connection ended, and not by `close`. */
  onLost: (reason: string) => void;
  /** Gets messages as they come, until it returns false; absent: none is kept. */
  onMessage?: (message: Frame, reply: (frame: Buffer) => void) => boolean;
}

/**
 * Resolves once the server has accepted the connection.
 *
 * @throws Error that says how the server refused
 */
export function openPlayedSocket(options: PlayedSocketOptions): Promise<PlayedSocket> {
  const { url, onLost, onMessage, target = targetAt(url) } = options;
  const passage = target.passage?.();
  const opened = Promise.withResolvers<PlayedSocket>();
  const pings: (() => void)[] = [];
  const key = randomBytes(16).toString('base64');
  const answer = createHead();
  let isOpen = false;
  let isOver = false;

  const end = (reason: string, error: Error | null = null) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(limit);
    passage?.ended(error);
    socket.destroy();
    if (isOpen) onLost(reason);
    else opened.reject(new Error(reason));
  };
  const limit = setTimeout(() => end(`the server did not answer in ${OPENING_LIMIT_MS / 1000} s`), OPENING_LIMIT_MS);
  const write = (bytes: Buffer) => socket.write(passage?.there(bytes) ?? bytes);
  const ear = createEar(onMessage && ((message) => !isOver && onMessage(message, write)));
  const skim = createFrameReader({ ...ear.listener, onControl: controlOf({ write, pings, end }) });
  const read = (bytes: Buffer) => {
    passage?.back(bytes);
    if (isOpen) return skim(bytes);
    const { head, rest } = answer.take(bytes);
    if (head === null) return;
    if (!head.startsWith('HTTP/')) return end('the server answered no handshake');
    if (!accepts(head, key)) return end(`the server refused the connection: ${head.split('\r\n')[0]}`);
    isOpen = true;
    clearTimeout(limit);
    opened.resolve(played);
    skim(rest);
  };

  const socket: Socket = target.connect({
    allowHalfOpen: false,
    onread: {
      buffer: READ_BUFFER,
      callback(count) {
        read(READ_BUFFER.subarray(0, count));
        const isAwaited = !isOpen || pings.length > 0 || ear.isOpen();
        return isAwaited || count === READ_BUFFER.length || socket instanceof TLSSocket;
      },
    },
  });
  socket.on('connect', () => write(Buffer.from(handshake(url, key))));
  socket.on('error', (error) => end(`its connection broke: ${messageOf(error)}`, error));
  socket.on('close', () => end('the server ended its connection'));
  const played: PlayedSocket = {
    received: ear.received,
    send: write,
    drain: () => socket.resume(),
    ping() {
      write(maskedFrame(OPCODES.ping, Buffer.alloc(0)));
      socket.resume();
      return new Promise((resolve) => pings.push(resolve));
    },
    close() {
      isOver = true;
      write(maskedFrame(OPCODES.close, Buffer.alloc(0)));
      letGo(socket);
    },
  };
  return opened.promise;
}

/** Counts messages, and gives each whole until one is answered with false; absent: to nobody. */
function createEar(onMessage?: (message: Frame) => boolean) {
  const received: Received = { messages: 0, bytes: 0 };
  let isOpen = onMessage !== undefined;
  let parts: Buffer[] = [];
  let missing = 0;
  let isLast = false;
  let isText = false;
  const takeIn = (bytes: Buffer) => {
    if (!isOpen) return;
    parts.push(Buffer.from(bytes));
    missing -= bytes.length;
    giveIfWhole();
  };
  const giveIfWhole = () => {
    if (!isOpen || missing > 0 || !isLast) return;
    const message = Buffer.concat(parts);
    parts = [];
    isOpen = onMessage!(isText ? message.toString('utf8') : message);
  };
  const listener: Pick<FrameListener, 'onData' | 'onPayload'> = {
    onData(bytes, isLastFrame, opcode) {
      received.bytes += bytes;
      if (isLastFrame) received.messages++;
      [missing, isLast] = [bytes, isLastFrame];
      if (opcode !== OPCODES.continuation) isText = opcode === OPCODES.text;
      // An empty frame has no payload that could come.
      if (bytes === 0) giveIfWhole();
    },
    onPayload: onMessage && takeIn,
  };
  return { received, listener, isOpen: () => isOpen };
}

function controlOf(of: {
  write: (bytes: Buffer) => void;
  pings: (() => void)[];
  end: (reason: string) => void;
}): FrameListener['onControl'] {
  return (opcode, payload) => {
    if (opcode === OPCODES.ping) of.write(maskedFrame(OPCODES.pong, payload));
    if (opcode === OPCODES.pong) of.pings.shift()?.();
    if (opcode === OPCODES.close) of.end(`the server closed its connection${reasonOf(payload)}`);
  };
}

/** Once goodbye is said. A server that does not answer it is not waited for. */
function letGo(socket: Socket): void {
  socket.end();
  socket.resume();
  socket.setTimeout(1000, () => socket.destroy());
}

function handshake({ host, pathname, search }: URL, key: string): string {
  const lines = [
    `GET ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Version: 13',
  ];
  return lines.join('\r\n') + HEAD_END;
}

function accepts(head: string, key: string): boolean {
  const accepted = createHash('sha1')
    .update(key + HANDSHAKE_GUID)
    .digest('base64');
  return /^HTTP\/1\.1 101 /.test(head) && head.includes(accepted);
}

function reasonOf(payload: Buffer): string {
  if (payload.length < 2) return '';
  const text = payload.toString('utf8', 2);
  return ` (${payload.readUInt16BE(0)}${text === '' ? '' : `: ${text}`})`;
}

/** One message in one masked frame. */
export function clientFrame(frame: Frame): Buffer {
  const isText = typeof frame === 'string';
  return maskedFrame(isText ? OPCODES.text : OPCODES.binary, isText ? Buffer.from(frame) : frame);
}

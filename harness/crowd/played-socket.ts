/**
 * One user's connection in a played crowd: a WebSocket over a plain TCP socket. It sends prepared frames and skips received
 * ones (RFC 6455, section 5), which are read only as far as they must be: where each ends, and the contents of control frames. A
 * library's socket would decode and copy all that it receives, which for a crowd is nearly all of the work.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createConnection, type Socket } from 'node:net';
import type { Frame } from './recording.ts';

/** RFC 6455, section 1.3. */
const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const END_OF_HEAD = '\r\n\r\n';
/** All sockets of the process read into it, one after the other, and nothing of it is kept. */
const READ_BUFFER = Buffer.allocUnsafe(2 ** 18);
/** A server's answer to the handshake is a few hundred bytes. */
const MOST_ANSWER_BYTES = 2 ** 14;
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

/**
 * Resolves once the server has accepted the connection.
 *
 * @param options.onLost the connection ended, and not by `close`
 * @throws Error that says how the server refused
 */
export function openPlayedSocket(options: { url: URL; onLost: (reason: string) => void }): Promise<PlayedSocket> {
  const { url, onLost } = options;
  const opened = Promise.withResolvers<PlayedSocket>();
  const pings: (() => void)[] = [];
  const key = randomBytes(16).toString('base64');
  let answer: Buffer | null = Buffer.alloc(0);
  let isOver = false;

  const end = (reason: string) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(limit);
    socket.destroy();
    if (answer !== null) opened.reject(new Error(reason));
    else onLost(reason);
  };
  const limit = setTimeout(() => end(`the server did not answer in ${OPENING_LIMIT_MS / 1000} s`), OPENING_LIMIT_MS);
  const received: Received = { messages: 0, bytes: 0 };
  const skim = createSkimmer(received, (opcode, payload) => {
    if (opcode === OPCODES.ping) socket.write(maskedFrame(OPCODES.pong, payload));
    if (opcode === OPCODES.pong) pings.shift()?.();
    if (opcode === OPCODES.close) end(`the server closed its connection${reasonOf(payload)}`);
  });
  const read = (bytes: Buffer) => {
    if (answer === null) return skim(bytes);
    answer = Buffer.concat([answer, bytes]);
    const headEnd = answer.indexOf(END_OF_HEAD);
    if (headEnd === -1) return answer.length > MOST_ANSWER_BYTES ? end('the server answered no handshake') : undefined;
    const head = answer.toString('latin1', 0, headEnd);
    if (!accepts(head, key)) return end(`the server refused the connection: ${head.split('\r\n')[0]}`);
    const rest = answer.subarray(headEnd + END_OF_HEAD.length);
    answer = null;
    clearTimeout(limit);
    opened.resolve(played);
    skim(rest);
  };

  const socket: Socket = createConnection({
    host: url.hostname,
    port: Number(url.port),
    noDelay: true,
    onread: {
      buffer: READ_BUFFER,
      callback(count) {
        // Not less than the buffer was all that there is; the next drain reads on.
        read(READ_BUFFER.subarray(0, count));
        return answer !== null || count === READ_BUFFER.length;
      },
    },
  });
  socket.on('connect', () => socket.write(handshake(url, key)));
  socket.on('error', (error) => end(`its connection broke: ${error.message}`));
  socket.on('close', () => end('the server ended its connection'));
  const played: PlayedSocket = {
    received,
    send: (frame) => socket.write(frame),
    drain: () => socket.resume(),
    ping() {
      const { promise, resolve } = Promise.withResolvers<void>();
      pings.push(resolve);
      socket.write(maskedFrame(OPCODES.ping, Buffer.alloc(0)));
      return promise;
    },
    close() {
      isOver = true;
      clearTimeout(limit);
      socket.end(maskedFrame(OPCODES.close, Buffer.alloc(0)));
      socket.resume();
      socket.setTimeout(1000, () => socket.destroy());
    },
  };
  return opened.promise;
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
  return lines.join('\r\n') + END_OF_HEAD;
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

const OPCODES = { text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;

const FINAL = 0x80;
const MASKED = 0x80;
/** Payload lengths from here on stand in 2 further bytes, and larger ones in 8. */
const LENGTH_IN_2 = 126;
const LENGTH_IN_8 = 127;

/** One message in one masked frame. */
export function clientFrame(frame: Frame): Buffer {
  const isText = typeof frame === 'string';
  return maskedFrame(isText ? OPCODES.text : OPCODES.binary, isText ? Buffer.from(frame) : frame);
}

/** @param opcode one of `OPCODES` */
function maskedFrame(opcode: number, payload: Uint8Array): Buffer {
  const lengthBytes = payload.length < LENGTH_IN_2 ? 0 : payload.length < 2 ** 16 ? 2 : 8;
  const bytes = Buffer.allocUnsafe(2 + lengthBytes + 4 + payload.length);
  bytes[0] = FINAL | opcode;
  bytes[1] = MASKED | (lengthBytes === 0 ? payload.length : lengthBytes === 2 ? LENGTH_IN_2 : LENGTH_IN_8);
  if (lengthBytes === 2) bytes.writeUInt16BE(payload.length, 2);
  if (lengthBytes === 8) bytes.writeBigUInt64BE(BigInt(payload.length), 2);
  // A mask of zeros would spare the server the work that a real client's frame gives it.
  const mask = randomBytes(4);
  const start = 2 + lengthBytes;
  mask.copy(bytes, start);
  for (let index = 0; index < payload.length; index++) bytes[start + 4 + index] = payload[index]! ^ mask[index & 3]!;
  return bytes;
}

/** A frame's head is 2 bytes, and up to 8 more of a long payload's length: servers mask nothing. */
const MOST_HEAD_BYTES = 10;
const FIRST_CONTROL_OPCODE = 0x8;

/**
 * @param received  counts the messages, each with its last frame, and the bytes of payload
 * @param onControl a ping, pong or close came, with its payload
 */
export function createSkimmer(
  received: Received,
  onControl: (opcode: number, payload: Buffer) => void,
): (bytes: Buffer) => void {
  const head = Buffer.alloc(MOST_HEAD_BYTES);
  let headBytes = 0;
  let toSkip = 0;
  let control: { opcode: number; payload: Buffer; read: number } | null = null;

  /** Whole once it has as many bytes as its second says. */
  const wantedHeadBytes = () => {
    if (headBytes < 2) return 2;
    const length = head[1]! & 0x7f;
    return length < 126 ? 2 : length === 126 ? 4 : 10;
  };
  const payloadBytes = () => {
    const length = head[1]! & 0x7f;
    return length < 126 ? length : length === 126 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2));
  };

  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      if (control !== null) {
        const copied = bytes.copy(control.payload, control.read, at);
        control.read += copied;
        at += copied;
        if (control.read < control.payload.length) return;
        const { opcode, payload } = control;
        control = null;
        onControl(opcode, payload);
        continue;
      }
      if (toSkip > 0) {
        const skipped = Math.min(toSkip, bytes.length - at);
        toSkip -= skipped;
        at += skipped;
        continue;
      }
      head[headBytes++] = bytes[at++]!;
      if (headBytes < wantedHeadBytes()) continue;
      const opcode = head[0]! & 0x0f;
      const length = payloadBytes();
      headBytes = 0;
      if (opcode < FIRST_CONTROL_OPCODE) {
        toSkip = length;
        received.bytes += length;
        if ((head[0]! & FINAL) !== 0) received.messages++;
      } else if (length === 0) onControl(opcode, Buffer.alloc(0));
      else control = { opcode, payload: Buffer.alloc(length), read: 0 };
    }
  };
}

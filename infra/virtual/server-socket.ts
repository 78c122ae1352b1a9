/** A server's end of a connection, as `ws` has it, as far as frameworks use it. */
import { NO_CODE, Socket, STATES } from './socket.ts';

/** The way from there to the client. */
interface Way {
  /** The line that it takes. */
  line: object;
  toClient(message: string | ArrayBuffer): void;
  closeFromServer(code: number, reason: string): void;
  /** The server ends it without a word. */
  terminate(): void;
  ping(answered: () => void): void;
}

export class ServerSocket extends Socket {
  binaryType = 'nodebuffer';
  readonly #way: Way;
  /** Messages that wait; null: none does. */
  #held: (() => void)[] | null = null;

  constructor(way: Way) {
    super();
    this.setMaxListeners(0);
    this.#way = way;
  }

  get line(): object {
    return this.#way.line;
  }

  send(data: string | Uint8Array | ArrayBuffer, options?: unknown, callback?: (error?: Error) => void): void {
    const done = typeof options === 'function' ? (options as typeof callback) : callback;
    if (this.readyState !== STATES.OPEN) return void done?.(new Error('the socket is not open'));
    this.#way.toClient(typeof data === 'string' ? data : sharedBuffer(data));
    done?.();
  }

  receive(frame: string | Uint8Array): void {
    if (this.readyState === STATES.CLOSED) return;
    const isBinary = typeof frame !== 'string';
    const data = isBinary ? Buffer.from(frame.buffer, frame.byteOffset, frame.length) : Buffer.from(frame);
    const tell = () => this.emit('message', data, isBinary);
    if (this.#held === null) tell();
    else this.#held.push(tell);
  }

  pause(): void {
    this.#held ??= [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const tell of held) if (this.readyState !== STATES.CLOSED) tell();
  }

  ping(): void {
    this.#way.ping(() => this.readyState === STATES.OPEN && this.emit('pong', Buffer.alloc(0)));
  }

  pong(): void {}

  close(code = NO_CODE, reason = ''): void {
    if (this.readyState >= STATES.CLOSING) return;
    this.readyState = STATES.CLOSING;
    this.#way.closeFromServer(code, String(reason));
  }

  terminate(): void {
    if (this.readyState === STATES.CLOSED) return;
    this.readyState = STATES.CLOSING;
    this.#way.terminate();
  }

  /** With the server's process: nobody hears of it. */
  die(): void {
    this.readyState = STATES.CLOSED;
  }
}

/** Servers send one message to many; whoever gets it only reads it. */
const buffers = new WeakMap<Uint8Array | ArrayBuffer, ArrayBuffer>();
function sharedBuffer(data: Uint8Array | ArrayBuffer): ArrayBuffer {
  let buffer = buffers.get(data);
  // The server may use its buffer again.
  if (buffer === undefined || Buffer.compare(new Uint8Array(buffer), bytesOf(data)) !== 0) {
    buffer = bytesOf(data).slice().buffer as ArrayBuffer;
    buffers.set(data, buffer);
  }
  return buffer;
}

export function bytesOf(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

export function sizeOf(data: string | ArrayBuffer | Uint8Array): number {
  return typeof data === 'string' ? data.length : data.byteLength;
}

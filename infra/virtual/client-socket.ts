/** A client's end of a connection, as the browser has it, as far as frameworks use it. */
import { BROKEN, Connection, type VirtualNetwork } from './network.ts';
import { bytesOf, NO_CODE } from './server-socket.ts';

/** The browser's class, whose sockets take the network that an address is in when they are opened. */
export function webSocketOf(networkOf: (url: URL) => VirtualNetwork): typeof WebSocket {
  return class extends ClientSocket {
    constructor(url: string | URL) {
      const address = new URL(url);
      super(address, networkOf(address));
    }
  } as unknown as typeof WebSocket;
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
  readonly extensions = '';
  readonly bufferedAmount = 0;
  binaryType = 'blob';
  readyState = 0;
  onopen: Listener | null = null;
  onmessage: Listener | null = null;
  onclose: Listener | null = null;
  onerror: Listener | null = null;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #connection: Connection;

  constructor(url: URL, network: VirtualNetwork) {
    this.url = url.href;
    const path = url.pathname + url.search;
    const line = network.lineTo(url);
    this.#connection = new Connection(network, line, this);
    line.onConnect?.(path);
    this.#connection.open(path);
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
    const { line, server } = this.#connection;
    line.onSent?.(frame);
    this.#connection.carry('there', frame, () => server!.receive(frame));
  }

  close(code = NO_CODE, reason = ''): void {
    if (this.readyState >= this.CLOSING) return;
    this.readyState = this.CLOSING;
    this.#connection.closeFromClient(code, reason);
  }

  opened(): void {
    if (this.readyState !== this.CONNECTING) return;
    this.readyState = this.OPEN;
    this.#dispatch('open', {});
  }

  receive(data: string | ArrayBuffer): void {
    if (this.readyState === this.OPEN) this.#dispatch('message', { data });
  }

  ended(code: number, reason: string): void {
    if (this.readyState === this.CLOSED) return;
    const hasOpened = this.readyState !== this.CONNECTING;
    this.readyState = this.CLOSED;
    if (!hasOpened) this.#dispatch('error', { message: 'refused', error: new Error('the connection was refused') });
    this.#dispatch('close', { code, reason, wasClean: code !== BROKEN });
  }

  #dispatch(type: 'open' | 'message' | 'close' | 'error', details: object): void {
    const event = { type, target: this, ...details };
    this[`on${type}`]?.(event);
    for (const listener of [...(this.#listeners.get(type) ?? [])]) listener(event);
  }
}

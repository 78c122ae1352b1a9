/** A client's end of a connection, as the browser has it, as far as frameworks use it. */
import { Connection, type VirtualNetwork } from './network.ts';
import { BROKEN, bytesOf, NO_CODE, STATES } from './server-socket.ts';

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

/** One for all: an error of each attempt would cost more than the attempt. */
const REFUSED = { message: 'refused', error: new Error('the connection was refused') };

class ClientSocket {
  readonly url: string;
  readonly protocol = '';
  readonly extensions = '';
  readonly bufferedAmount = 0;
  binaryType = 'blob';
  readyState: number = STATES.CONNECTING;
  onopen: Listener | null = null;
  onmessage: Listener | null = null;
  onclose: Listener | null = null;
  onerror: Listener | null = null;
  /** True: it hears once. */
  readonly #listeners = new Map<string, Map<Listener, boolean>>();
  readonly #connection: Connection;

  constructor(url: URL, network: VirtualNetwork) {
    this.url = url.href;
    const path = url.pathname + url.search;
    const line = network.lineTo(url);
    this.#connection = new Connection(network, line, this);
    line.onConnect?.(path);
    this.#connection.open(path);
  }

  addEventListener(type: string, listener: Listener, options?: boolean | { once?: boolean }): void {
    const listeners = this.#listeners.get(type) ?? new Map<Listener, boolean>();
    const once = typeof options === 'object' && options.once === true;
    if (!listeners.has(listener)) this.#listeners.set(type, listeners.set(listener, once));
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener);
  }

  send(data: string | ArrayBuffer | ArrayBufferView): void {
    if (this.readyState === STATES.CONNECTING)
      throw new DOMException('the socket is not open yet', 'InvalidStateError');
    if (this.readyState !== STATES.OPEN) return;
    // A copy: the library may use its buffer again.
    const frame = typeof data === 'string' ? data : bytesOf(data).slice();
    const { line, server } = this.#connection;
    line.onSent?.(frame);
    this.#connection.carry('there', frame, () => server!.receive(frame));
  }

  close(code = NO_CODE, reason = ''): void {
    if (this.readyState >= STATES.CLOSING) return;
    this.readyState = STATES.CLOSING;
    this.#connection.closeFromClient(code, reason);
  }

  opened(): void {
    if (this.readyState !== STATES.CONNECTING) return;
    this.readyState = STATES.OPEN;
    this.#dispatch('open', {});
  }

  receive(data: string | ArrayBuffer): void {
    if (this.readyState === STATES.OPEN) this.#dispatch('message', { data });
  }

  ended(code: number, reason: string): void {
    if (this.readyState === STATES.CLOSED) return;
    const hasOpened = this.readyState !== STATES.CONNECTING;
    this.readyState = STATES.CLOSED;
    if (!hasOpened) this.#dispatch('error', REFUSED);
    this.#dispatch('close', { code, reason, wasClean: code !== BROKEN });
  }

  #dispatch(type: 'open' | 'message' | 'close' | 'error', details: object): void {
    const event = { type, target: this, ...details };
    this[`on${type}`]?.(event);
    const listeners = this.#listeners.get(type) ?? new Map<Listener, boolean>();
    for (const [listener, once] of [...listeners]) {
      if (once) listeners.delete(listener);
      listener(event);
    }
  }
}

Object.assign(ClientSocket, STATES);
Object.assign(ClientSocket.prototype, STATES);

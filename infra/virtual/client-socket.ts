/** A client's end of a connection, as the browser has it, as far as frameworks use it. */
import { Connection, type VirtualNetwork } from './network.ts';
import { bytesOf } from './server-socket.ts';
import { NO_CODE, Socket, STATES } from './socket.ts';

/** The browser's class, whose sockets take the network that an address is in when they are opened. */
export function webSocketOf(networkOf: (url: URL) => VirtualNetwork): typeof WebSocket {
  return class extends ClientSocket {
    constructor(url: string | URL) {
      const address = new URL(url);
      super(address, networkOf(address));
    }
  } as unknown as typeof WebSocket;
}

class ClientSocket extends Socket {
  readonly url: string;
  readonly protocol = '';
  readonly extensions = '';
  binaryType = 'blob';
  override readyState: number = STATES.CONNECTING;
  readonly #connection: Connection;

  constructor(url: URL, network: VirtualNetwork) {
    super();
    this.url = url.href;
    const path = url.pathname + url.search;
    const line = network.lineTo(url);
    this.#connection = new Connection(network, line, this);
    line.onConnect?.(path);
    this.#connection.open(path);
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
    this.emit('open');
  }

  receive(data: string | ArrayBuffer): void {
    if (this.readyState === STATES.OPEN) this.emit('message', data, typeof data !== 'string');
  }
}

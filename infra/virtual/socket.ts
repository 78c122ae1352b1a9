/** Either end of a connection: states, codes, and listeners as `ws` has them, and the browser. */
import { EventEmitter } from 'node:events';
import { WebSocket } from 'ws';

/** RFC 6455, section 7.4.1: no code was given; it ended without a closing handshake. */
export const NO_CODE = 1005;
export const BROKEN = 1006;

/** At each socket, too, as `ws` and the browser have it. */
export const STATES = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 } as const;

export class Socket extends EventEmitter {
  readonly bufferedAmount = 0;
  readyState: number = STATES.OPEN;
  declare addEventListener: WebSocket['addEventListener'];
  declare removeEventListener: WebSocket['removeEventListener'];
  // By these `ws` tells whether it was clean.
  _closeFrameReceived = false;
  _closeFrameSent = false;

  ended(code: number, reason: string): void {
    if (this.readyState === STATES.CLOSED) return;
    const hasOpened = this.readyState !== STATES.CONNECTING;
    this.readyState = STATES.CLOSED;
    if (!hasOpened && this.listenerCount('error') > 0) this.emit('error', REFUSED);
    this._closeFrameReceived = this._closeFrameSent = code !== BROKEN;
    this.emit('close', code, Buffer.from(reason));
  }
}

/** One for all: an error of each attempt would cost more than the attempt. */
const REFUSED = new Error('the connection was refused');
Object.assign(Socket, STATES);
Object.assign(Socket.prototype, STATES);
for (const name of ['addEventListener', 'removeEventListener', 'onopen', 'onmessage', 'onclose', 'onerror']) {
  Object.defineProperty(Socket.prototype, name, Object.getOwnPropertyDescriptor(WebSocket.prototype, name)!);
}

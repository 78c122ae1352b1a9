/** A client's end of a TCP connection in a virtual network, as `node:net` has it, as far as libraries use it. */
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { Duplex } from 'node:stream';
import { Connection, type VirtualNetwork } from './network.ts';
import { BROKEN } from './socket.ts';

/**
 * From now on, connections to some hosts are virtual.
 *
 * @param networkOf where a host is; null: in the real world
 */
export function replaceTcp(networkOf: (host: string) => VirtualNetwork | null): void {
  const real = net.createConnection as unknown as (...args: unknown[]) => net.Socket;
  const connect = (...args: unknown[]) => {
    const { host } = Object(args[0]) as { host?: string };
    const network = host === undefined ? null : networkOf(host);
    return network === null ? real(...args) : new TcpSocket(network, host!);
  };
  Object.assign(net, { connect, createConnection: connect });
  syncBuiltinESMExports();
}

const NORMAL = 1000;

export class TcpSocket extends Duplex {
  connecting = true;
  readonly remoteAddress: string;
  readonly #connection: Connection;
  #hasEnded = false;

  constructor(network: VirtualNetwork, host: string) {
    super();
    this.remoteAddress = host;
    this.#connection = new Connection(network, network.lineTo(new URL(`tcp://${host}`)), this);
    this.#connection.open('/');
  }

  setNoDelay = () => this;
  setKeepAlive = () => this;
  /** Virtual networks refuse at once, so nothing waits for an answer in vain. */
  setTimeout = () => this;
  ref = () => this;
  unref = () => this;

  opened(): void {
    if (this.destroyed) return;
    this.connecting = false;
    this.emit('connect');
  }

  receive(data: string | ArrayBuffer): void {
    if (!this.destroyed) this.push(Buffer.from(data as ArrayBuffer));
  }

  ended(code: number): void {
    this.#hasEnded = true;
    if (code !== BROKEN) this.destroy();
    else if (this.connecting) this.destroy(failure('connect', 'ECONNREFUSED'));
    else this.destroy(failure('read', 'ECONNRESET'));
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    // A copy: the library may use its buffer again.
    const frame = new Uint8Array(chunk);
    this.#connection.carry('there', frame, () => this.#connection.server?.receive(frame));
    done();
  }

  override _final(done: () => void): void {
    this.#close();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#close();
    done(error);
  }

  #close(): void {
    if (!this.#hasEnded) this.#connection.closeFromClient(NORMAL, '');
    this.#hasEnded = true;
  }
}

function failure(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { syscall, code });
}

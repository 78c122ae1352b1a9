/**
 * Whose work it is that this process does: its users' clients share its thread, its sockets' class and its console. What a
 * client sets off, it does in an asynchronous context of its user's, in which sockets, timers and rejections are found.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { SocketTraffic } from '../../probes/socket-traffic.ts';

export class Client {
  /** Of the connections that it opened. */
  readonly traffic = new SocketTraffic();
  readonly #onError: (message: string) => void;

  /** @param onError gets what nothing in the client caught, and what it wrote to the console as an error */
  constructor(onError: (message: string) => void) {
    this.#onError = onError;
  }

  /** Runs what the client does; what that sets off counts as its own too. */
  run<T>(work: () => T): T {
    return whose.run(this, work);
  }

  failed(error: unknown): void {
    this.#onError(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

const whose = new AsyncLocalStorage<Client>();
let isWatching = false;

/** From now on, errors and connections in this process are told to whose client they are of; others end it, as ever. */
export function watchClients(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe('net.client.socket', (message) => {
    whose.getStore()?.traffic.add((message as { socket: Socket }).socket);
  });
  process.on('uncaughtException', (error) => {
    const client = whose.getStore();
    if (client !== undefined) return client.failed(error);
    console.error(error);
    process.exit(1);
  });
  const write = console.error;
  console.error = (...given: unknown[]) => {
    const client = whose.getStore();
    if (client === undefined) write(...given);
    else client.failed(given.map((each) => (each instanceof Error ? each.message : String(each))).join(' '));
  };
}

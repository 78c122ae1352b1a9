/**
 * The framework's client of one user among several in this process. They share its thread, its sockets' class and its console.
 * A client's work runs in an asynchronous context of its user, in which its sockets, timers and rejections are found.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { countTraffic, type SentKeeper } from '../../../editors/base/instrument/traffic.ts';
import { SocketTraffic } from '../../probes/socket-traffic.ts';

const running = new AsyncLocalStorage<Client>();
let isWatching = false;
let isKeeping = false;

export class Client {
  /** Keeps what the client sends; null: nobody does. */
  readonly keeper: SentKeeper | null;
  /** Traffic of the connections that the client opened. */
  readonly traffic = new SocketTraffic();
  readonly #onError: (message: string) => void;

  /** @param onError gets what nothing in the client caught, and what it wrote to the console as an error */
  constructor(onError: (message: string) => void, keeper: SentKeeper | null = null) {
    this.#onError = onError;
    this.keeper = keeper;
    if (keeper === null || isKeeping) return;
    // Counting takes time at every message, so only processes with a user to keep do it.
    isKeeping = true;
    countTraffic(globalThis, () => running.getStore()?.keeper ?? null);
  }

  /** Runs work of the client; its consequences count as the client's too. */
  run<T>(work: () => T): T {
    return running.run(this, work);
  }

  failed(error: unknown): void {
    this.#onError(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

/** From now on, errors and connections in this process are reported to the client behind them; other errors end it, as ever. */
export function watchClients(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe('net.client.socket', (message) => {
    running.getStore()?.traffic.add((message as { socket: Socket }).socket);
  });
  subscribe('console.error', (message) => {
    const texts = (message as unknown[]).map((part) => (part instanceof Error ? part.message : String(part)));
    running.getStore()?.failed(texts.join(' '));
  });
  // Node has no narrower place for what a library's own timers and events throw.
  process.on('uncaughtException', (error) => {
    const client = running.getStore();
    if (client !== undefined) return client.failed(error);
    console.error(error);
    process.exit(1);
  });
}

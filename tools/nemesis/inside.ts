/**
 * Sits in each Node process of a run that faults are done to (`--import`) and does nothing, until a signal tells it that there is
 * an order for it; see orders.ts.
 */
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import type { Order } from './orders.ts';

// Not orders.ts itself: nothing is to be loaded here that the process would not load.
const folder = process.env.SCRIPTORIUM_FAULT_ORDERS;
const sockets = new Set<Socket>();
const accepted = new WeakSet<Socket>();

if (isMainThread && folder !== undefined) {
  for (const channel of ['net.client.socket', 'net.server.socket']) {
    subscribe(channel, (message) => {
      const { socket } = message as { socket: Socket };
      sockets.add(socket);
      if (channel === 'net.server.socket') accepted.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
  }
  process.on('SIGUSR2', () => carryOut(JSON.parse(readFileSync(join(folder, `${process.pid}`), 'utf8')) as Order));
}

function carryOut(order: Order): void {
  if (order.do === 'step clock') stepClock(order.byMs);
  else if (order.do === 'lose') lose(order.serverPorts, order.forMs);
  else cut(order.which);
}

/** Both ends of each delay line at once, so nothing that the line holds arrives. Until they break, neither end hears of it. */
function lose(serverPorts: readonly number[], forMs: number): void {
  const lines = [...sockets].filter((socket) => accepted.has(socket) || serverPorts.includes(socket.remotePort ?? 0));
  if (forMs > 0) for (const socket of lines) socket.removeAllListeners('data').resume();
  setTimeout(() => {
    for (const socket of lines) socket.resetAndDestroy();
  }, forMs);
}

function cut(which: 'all' | number): void {
  const connected = [...sockets].filter(({ remoteAddress }) => remoteAddress !== undefined);
  const chosen = which === 'all' ? connected : connected.slice(Math.floor(which * connected.length)).slice(0, 1);
  for (const socket of chosen) socket.resetAndDestroy();
}

function stepClock(byMs: number): void {
  const now = Date.now.bind(Date);
  const shiftedNow = () => now() + byMs;
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [shiftedNow()] : args, newTarget),
    get: (target, key) => (key === 'now' ? shiftedNow : Reflect.get(target, key)),
  });
}

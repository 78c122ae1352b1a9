/** Orders that a process of a run carries out on itself: `inside.ts` does it. */
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { handles, isRunning, type RunProcess, sendSignal } from './processes.ts';

export type Order =
  /** Breaks TCP connections: all, or the one at this share of them, in [0, 1). */
  | { do: 'cut'; which: 'all' | number }
  /** Drops all that comes over the connections to these ports, and over those that it accepted, and breaks them after a while. */
  | { do: 'lose'; serverPorts: readonly number[]; forMs: number }
  /** Has the time of day jump, as when somebody sets the machine's clock. Clocks that count from the process's start go on. */
  | { do: 'step clock'; byMs: number };

/** The folder in which orders lie, each named after the process that it is for. */
const ORDERS_VARIABLE = 'SCRIPTORIUM_FAULT_ORDERS';
const ORDER_SIGNAL = 'SIGUSR2';

const INSIDE = pathToFileURL(join(import.meta.dirname, 'inside.ts'));
/** A process that is just being started does not listen yet. */
const LISTENS_LIMIT_MS = 3000;
const LISTENS_PERIOD_MS = 20;

/** Environment with which Node processes, and all that they start, take orders. */
export function takingOrders(folder: string): NodeJS.ProcessEnv {
  const options = [process.env.NODE_OPTIONS, `--import=${INSIDE}`].filter(Boolean).join(' ');
  return { NODE_OPTIONS: options, [ORDERS_VARIABLE]: folder };
}

/** Tells a process, if it still runs once it listens. */
export async function giveOrder(to: RunProcess, order: Order, folder: string): Promise<void> {
  await writeFile(join(folder, `${to.pid}`), JSON.stringify(order));
  const endMs = performance.now() + LISTENS_LIMIT_MS;
  while (!handles(to, constants.signals[ORDER_SIGNAL])) {
    // Without a handler the signal would kill it.
    if (!isRunning(to) || performance.now() > endMs) return;
    await setTimeout(LISTENS_PERIOD_MS);
  }
  sendSignal(to.pid, ORDER_SIGNAL);
}

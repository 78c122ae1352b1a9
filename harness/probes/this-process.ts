/** Probes in a measured process: the delay of its event loop, its CPU profile, the bytes of its sockets. */
import { Session } from 'node:inspector/promises';
import type { Socket } from 'node:net';

/** Delays of an event loop. Pairs of a number of delays and their upper bound in ms; the pair before has the lower bound. */
export type GroupedDelays = [count: number, ms: number][];

type DelayGroups = ReturnType<typeof createDelayGroups>;

/** @param stepMs width of a group; all delays in a group count as its upper end */
export function createDelayGroups(stepMs: number) {
  let counts = new Map<number, number>();
  return {
    /** @param count so many of this length */
    add(ms: number, count = 1): void {
      const step = Math.ceil(ms / stepMs);
      counts.set(step, (counts.get(step) ?? 0) + count);
    },
    /** Those since the last call, in ascending order. */
    take(): GroupedDelays {
      const delays = [...counts]
        .sort(([a], [b]) => a - b)
        .map(([step, count]): [number, number] => [count, step * stepMs]);
      counts = new Map();
      return delays;
    },
  };
}

/**
 * A timer of so many ms is watched for coming late. Each coming is a sample of what would have waited then, of a long delay
 * several (Tene 2013, "How NOT to measure latency"), and half a minute has some 330: a tenth more than a 99th percentile
 * needs, since timers come late. One of 10 ms took 2 % of a core by itself, more than a relay does; this one 0.2 %.
 */
const PERIOD_MS = 90;
/** Width of a group of an event loop's delays, ms. */
export const LOOP_STEP_MS = 0.5;

/**
 * Counts how late a timer came. While the loop stood still, further ones would have become due, and waited for the rest of that.
 *
 * @param periodMs how often the timer is due
 */
export function addLateness(groups: DelayGroups, lateMs: number, periodMs: number): void {
  let restMs = lateMs;
  do {
    groups.add(restMs);
    restMs -= periodMs;
  } while (restMs > 0);
}

/**
 * Watches this process's event loop from now on; each call gives the delays since the last. Every message waits this long beside
 * its own handling. A timer of its own, since
 * `perf_hooks.monitorEventLoopDelay` drops the first delay after each reset, which may be the one that matters.
 */
export function watchLoopDelay(): () => GroupedDelays {
  const groups = createDelayGroups(LOOP_STEP_MS);
  let lastMs = performance.now();
  setInterval(() => {
    const nowMs = performance.now();
    addLateness(groups, nowMs - lastMs - PERIOD_MS, PERIOD_MS);
    lastMs = nowMs;
  }, PERIOD_MS).unref();
  return groups.take;
}

/** CPU time of this process since it began. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A CPU profile of this process, as JSON in the format that Chrome DevTools opens. */
export async function takeCpuProfile(durationMs: number): Promise<string> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return JSON.stringify(profile);
}

/** Collects this process’s garbage, twice: what finalizers let go is collected the second time. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  for (let round = 0; round < 2; round++) await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

/** Bytes that sockets carry, closed ones included, as the kernel got and gave them: no library needs to tell. */
export class SocketTraffic {
  readonly #open = new Set<Socket>();
  readonly #closed = { sentBytes: 0, receivedBytes: 0 };

  add(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      addTo(this.#closed, socket);
    });
  }

  /** Ends every connection at once, as a cut cable does not: both sides are told. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  /** Since each began. */
  read(): { sentBytes: number; receivedBytes: number } {
    const total = { ...this.#closed };
    for (const socket of this.#open) addTo(total, socket);
    return total;
  }
}

function addTo(total: { sentBytes: number; receivedBytes: number }, { bytesWritten, bytesRead }: Socket): void {
  total.sentBytes += bytesWritten;
  total.receivedBytes += bytesRead;
}

/** The delay of this process's event loop: every message to a server waits this long beside its own handling. */

/** Pairs of a number of delays and their upper bound in ms; the pair before has the lower bound. */
export type GroupedDelays = [count: number, ms: number][];

export interface DelayGroups {
  add(ms: number): void;
  /** Those since the last call, in ascending order. */
  take(): GroupedDelays;
}

/** @param stepMs width of a group; all delays in a group count as its upper end */
export function createDelayGroups(stepMs: number): DelayGroups {
  let counts = new Map<number, number>();
  return {
    add(ms) {
      const step = Math.ceil(ms / stepMs);
      counts.set(step, (counts.get(step) ?? 0) + 1);
    },
    take() {
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
/** Width of a group of delays, ms. */
const STEP_MS = 0.5;

/**
 * Watches this process from now on; each call gives the delays since the last. A timer of its own, since
 * `perf_hooks.monitorEventLoopDelay` drops the first delay after each reset, which may be the one that matters.
 */
export function watchLoopDelay(): () => GroupedDelays {
  const groups = createDelayGroups(STEP_MS);
  let lastMs = performance.now();
  setInterval(() => {
    const nowMs = performance.now();
    let lateMs = nowMs - lastMs - PERIOD_MS;
    lastMs = nowMs;
    // While the loop stood still, further timers would have become due, and waited for the rest of that.
    do {
      groups.add(lateMs);
      lateMs -= PERIOD_MS;
    } while (lateMs > 0);
  }, PERIOD_MS).unref();
  return groups.take;
}

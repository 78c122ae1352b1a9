/** How late this process's event loop came to its work: what every message to a server waits beside its own handling. */

/**
 * A timer of so many ms is watched for coming late. Each coming is a sample of what would have waited then, and a minute has
 * 300, just enough for a 99th percentile. One of 10 ms took 2 % of a core by itself, more than a relay does; this one 0.1 %.
 */
const PERIOD_MS = 200;
/** Delays are grouped in steps of so many ms. */
const STEP_MS = 0.5;

/** So many delays of at most so many ms, and above the pair before. */
export type LoopDelays = [count: number, ms: number][];

/**
 * Watches this process from now on; each call gives the delays since the last. A timer of its own, since
 * `perf_hooks.monitorEventLoopDelay` drops the first delay after each reset, which may be the one that matters.
 */
export function watchLoopDelay(): () => LoopDelays {
  let counts = new Map<number, number>();
  let lastMs = performance.now();
  setInterval(() => {
    const nowMs = performance.now();
    const step = Math.ceil((nowMs - lastMs - PERIOD_MS) / STEP_MS);
    counts.set(step, (counts.get(step) ?? 0) + 1);
    lastMs = nowMs;
  }, PERIOD_MS).unref();
  return () => {
    const delays = [...counts]
      .sort(([a], [b]) => a - b)
      .map(([step, count]): [number, number] => [count, step * STEP_MS]);
    counts = new Map();
    return delays;
  };
}

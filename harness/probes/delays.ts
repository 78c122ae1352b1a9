/** Many delays in few numbers: how often each step of them occurred. */

/** So many delays of at most so many ms, and above the pair before. */
export type GroupedDelays = [count: number, ms: number][];

export interface DelayGroups {
  add(ms: number): void;
  /** Those since the last call, in ascending order. */
  take(): GroupedDelays;
}

/** @param stepMs what lies in one step counts as its upper end */
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

/** Holds things until they are due, in order, with one timer at a time. */

/** The source of time; Node's unless a test brings its own. */
export interface HoldingClock {
  nowMs(): number;
  /** Calls back after about that many ms; returns what cancels the call. */
  after(delayMs: number, call: () => void): () => void;
}

export interface Holding<T> {
  /** @param dueMs when it is to be released; later if something that was added before is due later */
  add(item: T, dueMs: number): void;
  /** Forgets everything held. */
  clear(): void;
}

/**
 * Node's timers have a resolution of 1 ms. What is due within half of that is released now rather than at the next
 * tick, so that the error lies evenly around zero instead of making every delay longer.
 */
const HALF_TICK_MS = 0.5;

const nodeClock: HoldingClock = {
  nowMs: () => performance.now(),
  after(delayMs, call) {
    // Whole: Node keeps a list of timers per duration, and a fraction would make a list of each.
    const timeout = setTimeout(call, Math.max(0, Math.floor(delayMs)));
    return () => clearTimeout(timeout);
  },
};

interface Held<T> {
  item: T;
  dueMs: number;
  /** A linked list: an array's shift moves everything behind, and thousands may be held. */
  next: Held<T> | null;
}

/**
 * @param release gets everything that is due at once, in the order in which it was added
 * @param onReleased gets by how much each was released later than it was due; below zero if sooner
 */
export function createHolding<T>(
  release: (items: T[]) => void,
  { clock = nodeClock, onReleased }: { clock?: HoldingClock; onReleased?: (lateMs: number) => void } = {},
): Holding<T> {
  let first: Held<T> | null = null;
  let last: Held<T> | null = null;
  let cancel: (() => void) | null = null;
  let isReleasing = false;

  const wait = () => {
    if (first !== null && cancel === null) cancel = clock.after(first.dueMs - clock.nowMs(), releaseDue);
  };
  const releaseDue = () => {
    cancel = null;
    const nowMs = clock.nowMs();
    const items: T[] = [];
    for (; first !== null && first.dueMs <= nowMs + HALF_TICK_MS; first = first.next) {
      items.push(first.item);
      onReleased?.(nowMs - first.dueMs);
    }
    if (first === null) last = null;
    wait();
    isReleasing = true;
    if (items.length > 0) release(items);
    isReleasing = false;
  };
  return {
    add(item, dueMs) {
      const held: Held<T> = { item, dueMs: last === null ? dueMs : Math.max(last.dueMs, dueMs), next: null };
      if (last === null) first = held;
      else last.next = held;
      last = held;
      // Due already, and behind nothing: it takes no turn of the clock.
      const isDue = first === held && !isReleasing && dueMs <= clock.nowMs() + HALF_TICK_MS;
      if (isDue) releaseDue();
      else wait();
    },
    clear() {
      first = last = null;
      cancel?.();
      cancel = null;
    },
  };
}

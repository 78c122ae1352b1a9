/** A clock that stands still but for `run`, which goes from one thing that is due to the next. */

export interface VirtualClock {
  /** Ms since it was made. */
  nowMs(): number;
  /** Calls back at that instant, after what else is due then and was added before. @returns what cancels it */
  at(dueMs: number, call: () => void): () => void;
  /** Does the next thing that is due no later than that, and resolves once what it set going in this process is done. */
  next(limitMs: number): Promise<boolean>;
  /** Does all that is due until then, which it then is. */
  run(untilMs: number): Promise<void>;
  /** A real millisecond, for what takes real time. */
  idle(): Promise<void>;
}

interface Due {
  atMs: number;
  /** Orders what is due at one instant. */
  number: number;
  call: (() => void) | null;
}

/** Held here, because a simulation replaces the global ones. */
const { setImmediate: afterMicrotasks, setTimeout: afterReal } = globalThis;

export function createVirtualClock(): VirtualClock {
  const heap = createHeap();
  let nowMs = 0;
  let added = 0;
  const next = async (limitMs: number) => {
    const due = heap.first();
    if (due === undefined || due.atMs > limitMs) return false;
    heap.removeFirst();
    if (due.call === null) return true;
    nowMs = Math.max(nowMs, due.atMs);
    due.call();
    // Promises of the code under simulation go on before the clock does.
    await new Promise<void>((resolve) => afterMicrotasks(resolve));
    return true;
  };
  return {
    nowMs: () => nowMs,
    at(dueMs, call) {
      const due: Due = { atMs: Math.max(dueMs, nowMs), number: added++, call };
      heap.add(due);
      return () => {
        due.call = null;
      };
    },
    next,
    async run(untilMs) {
      while (await next(untilMs));
      nowMs = Math.max(nowMs, untilMs);
    },
    idle: () => new Promise((resolve) => afterReal(resolve, 1)),
  };
}

/** A binary heap: what is due first is on top. */
function createHeap() {
  const items: Due[] = [];
  const isBefore = (a: Due, b: Due) => a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number);
  return {
    first: (): Due | undefined => items[0],
    add(item: Due) {
      let place = items.length;
      for (let parent = (place - 1) >> 1; place > 0 && isBefore(item, items[parent]!); parent = (place - 1) >> 1) {
        items[place] = items[parent]!;
        place = parent;
      }
      items[place] = item;
    },
    removeFirst() {
      const last = items.pop()!;
      if (items.length === 0) return;
      let place = 0;
      for (;;) {
        let child = 2 * place + 1;
        if (child + 1 < items.length && isBefore(items[child + 1]!, items[child]!)) child++;
        if (child >= items.length || !isBefore(items[child]!, last)) break;
        items[place] = items[child]!;
        place = child;
      }
      items[place] = last;
    },
  };
}

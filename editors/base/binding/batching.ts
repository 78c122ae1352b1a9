/** Gathers items and delivers them together: how every client batches what it sends and what it receives. */
import type { Batching } from '../framework.ts';

export interface Batcher<T> {
  add(item: T): void;
  /** Delivers at once what waits. */
  flush(): void;
  /** Drops what waits. */
  stop(): void;
}

/** The longest time that items wait for a user's next key: what breaks a sigil is seen in time. */
const LONGEST_HELD_MS = 1000;

/** Gathers received items as the options say. */
export function gatherReceived<T>(batching: Batching, deliver: (items: T[]) => void): Batcher<T> {
  const { receiveMs, receivePhaseMs, beforeKeys } = batching;
  if (beforeKeys === undefined || receiveMs === 0) return createBatcher(receiveMs, deliver, receivePhaseMs);
  return holdForKeys({ receiveMs, receivePhaseMs, beforeKeys }, deliver);
}

/** Delivers before each key what ticks would have brought by then. */
function holdForKeys<T>(
  { receiveMs, receivePhaseMs = 0, beforeKeys }: Omit<Batching, 'sendMs'> & { beforeKeys: Set<() => void> },
  deliver: (items: T[]) => void,
): Batcher<T> {
  let held: { atMs: number; item: T }[] = [];
  const takeIn = (untilMs: number) => {
    const due = held.filter(({ atMs }) => atMs < untilMs);
    held = held.slice(due.length);
    if (due.length > 0) deliver(due.map(({ item }) => item));
  };
  const takeInDue = () => {
    const nowMs = performance.now();
    takeIn(nowMs + untilTick(nowMs, receiveMs, receivePhaseMs) - receiveMs);
  };
  const waiting = createBatcher<null>(LONGEST_HELD_MS, () => {
    takeInDue();
    if (held.length > 0) waiting.add(null);
  });
  beforeKeys.add(takeInDue);
  return {
    add(item) {
      held.push({ atMs: performance.now(), item });
      waiting.add(null);
    },
    flush: () => takeIn(Number.POSITIVE_INFINITY),
    stop() {
      beforeKeys.delete(takeInDue);
      waiting.stop();
      held = [];
    },
  };
}

/**
 * @param periodMs how long items are gathered; 0: each item is delivered at once
 * @param phaseMs  absent: a batch is delivered that long after its first item. Given: at the next tick, whose times (on
 *                 this process's monotonic clock) are `phaseMs` and whole periods more; where nothing waits, none is set
 */
export function createBatcher<T>(periodMs: number, deliver: (items: T[]) => void, phaseMs?: number): Batcher<T> {
  let items: T[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  const untilDelivery = () => (phaseMs === undefined ? periodMs : untilTick(performance.now(), periodMs, phaseMs));
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (items.length === 0) return;
    const batch = items;
    items = [];
    deliver(batch);
  };
  return {
    add(item) {
      items.push(item);
      if (periodMs === 0) flush();
      else timer ??= setTimeout(flush, untilDelivery());
    },
    flush,
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      items = [];
    },
  };
}

/** @returns ms in (0, periodMs] from `nowMs` until the next tick */
export function untilTick(nowMs: number, periodMs: number, phaseMs: number): number {
  const sinceTick = (((nowMs - phaseMs) % periodMs) + periodMs) % periodMs;
  return periodMs - sinceTick;
}

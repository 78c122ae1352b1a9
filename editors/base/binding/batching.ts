/** Gathers items and hands them on together: how every client batches what it sends and what it receives. */

export interface Batcher<T> {
  add(item: T): void;
  /** Delivers at once what waits. */
  flush(): void;
  /** Drops what waits. */
  stop(): void;
}

/**
 * @param periodMs at most this long after the first item of a batch, `deliver` gets the batch; 0: each item at once
 */
export function createBatcher<T>(periodMs: number, deliver: (items: T[]) => void): Batcher<T> {
  let items: T[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
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
      else timer ??= setTimeout(flush, periodMs);
    },
    flush,
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      items = [];
    },
  };
}

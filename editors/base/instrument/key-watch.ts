/** How long keys take to show, as the browser itself times them (Event Timing). Observing costs one callback a frame at most. */

/** The browser reports no event that took less, and rounds to 8 ms. */
const LEAST_REPORTED_MS = 16;

/** The keys of a stretch of time; those in no list took less than 16 ms. */
export interface KeyTimings {
  /** The middle of the stretch, on the page's clock. */
  atMs: number;
  /** How many keys were pressed. */
  keys: number;
  /** From a key going down to the frame after its handlers. */
  slowMs: number[];
  /** The same of whole interactions: the slowest of a key's going down, its input and its coming up. */
  slowInteractionMs: number[];
}

/** The field of Event Timing that lib.dom lacks. */
type EventTiming = PerformanceEntry & { interactionId?: number };
type EventCounts = { eventCounts?: { get(name: string): number | undefined } };

/**
 * Watches the page's keys from now on.
 *
 * @returns takes the timings since it was called last; null if no key was pressed
 */
export function createKeyWatch(): () => KeyTimings | null {
  const countKeys = () => (performance as EventCounts).eventCounts?.get('keydown') ?? 0;
  let slowMs: number[] = [];
  let interactions = new Map<number, number>();
  let takenKeys = countKeys();
  let takenMs = performance.now();
  const take = (entries: readonly EventTiming[]) => {
    for (const { name, duration, interactionId = 0 } of entries) {
      if (!name.startsWith('key')) continue;
      if (name === 'keydown') slowMs.push(duration);
      if (interactionId > 0) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
    }
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: 'event', durationThreshold: LEAST_REPORTED_MS } as PerformanceObserverInit);

  return () => {
    take(observer.takeRecords());
    const [keys, nowMs] = [countKeys(), performance.now()];
    const atMs = performance.timeOrigin + (takenMs + nowMs) / 2;
    const timings = { atMs, keys: keys - takenKeys, slowMs, slowInteractionMs: [...interactions.values()] };
    [takenKeys, takenMs, slowMs, interactions] = [keys, nowMs, [], new Map()];
    return timings.keys === 0 && timings.slowMs.length === 0 ? null : timings;
  };
}

/** The page's reports to its driver: gathered, so that neither is woken for every sigil. */

import type { TurnedAwayAs } from '../framework.ts';
import type { SigilChange } from '../sigils.ts';

/** How long the page gathers what it reports; the live figures lag by as much. */
const REPORT_PERIOD_MS = 2000;

/** The page's reports; instants are on the page's clock. */
export interface PageReport {
  sigils: [sigil: string, shownMs: number][];
  sigilChanges: [sigil: string, change: SigilChange, shownMs: number][];
  longTasks: [startMs: number, durationMs: number][];
  /** Null if no key was pressed. */
  keys: KeyTimings | null;
  lost: { reason: string; how?: TurnedAwayAs } | null;
  /** When the library brought the connection back. */
  reconnectedMs: number[];
  /** When the connection broke. */
  brokenMs: number[];
  cursorMoves: [atMs: number, movedBy: number][];
}

declare global {
  // The driver adds the binding before the page loads.
  var scriptoriumReport: ((report: string) => void) | undefined;
}

export function createReporter() {
  let report = emptyReport();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let takeKeys: () => KeyTimings | null = () => null;

  function send(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    report.keys = takeKeys();
    const { lost, keys, ...lists } = report;
    if (lost === null && keys === null && Object.values(lists).every(({ length }) => length === 0)) return;
    globalThis.scriptoriumReport?.(JSON.stringify(report));
    report = emptyReport();
  }
  function sendSoon(): void {
    timer ??= setTimeout(send, REPORT_PERIOD_MS);
  }
  function add(addTo: (gathered: PageReport) => void): void {
    addTo(report);
    sendSoon();
  }

  return {
    sigil: (...sigil: PageReport['sigils'][number]) => add(({ sigils }) => sigils.push(sigil)),
    sigilChanged: (...change: PageReport['sigilChanges'][number]) =>
      add(({ sigilChanges }) => sigilChanges.push(change)),
    lost(reason: string, how?: TurnedAwayAs): void {
      report.lost = { reason, how };
      send();
    },
    reconnected: () => add(({ reconnectedMs }) => reconnectedMs.push(nowMs())),
    broke: () => add(({ brokenMs }) => brokenMs.push(nowMs())),
    cursorMoved: (movedBy: number) => add(({ cursorMoves }) => cursorMoves.push([nowMs(), movedBy])),
    /** From now on, tasks that keep the page's main thread busy are reported too. */
    watchLongTasks(): void {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          report.longTasks.push([performance.timeOrigin + entry.startTime, entry.duration]);
        }
        sendSoon();
      }).observe({ type: 'longtask' });
    },
    /** From now on, how long each key took to show is reported too. */
    watchKeys(): void {
      takeKeys = createKeyWatch();
      // Keys that are fast are counted without an event that would call for a report.
      setInterval(sendSoon, REPORT_PERIOD_MS);
    },
    /** Sends what is gathered, after the frame under way: what it shows still counts. */
    async flush(): Promise<void> {
      // The screen stamps in a task after the frame; this one is queued behind it.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      send();
    },
  };
}

/** Ms since 1970, of the page's steady clock. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

function emptyReport(): PageReport {
  const nothing = { lost: null, keys: null };
  return { sigils: [], sigilChanges: [], longTasks: [], reconnectedMs: [], brokenMs: [], cursorMoves: [], ...nothing };
}

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
 * Watches the page's keys from now on: how long they take to show, as the browser itself times them (Event Timing).
 *
 * @returns takes the timings since it was called last; null if no key was pressed
 */
function createKeyWatch(): () => KeyTimings | null {
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

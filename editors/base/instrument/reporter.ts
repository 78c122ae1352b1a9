/** The page's reports to its driver: gathered, so that neither is woken for every sigil. */

import { createKeyWatch, type KeyTimings } from './key-watch.ts';

/** How long the page gathers what it reports; the live figures lag by as much. */
const REPORT_PERIOD_MS = 2000;

/** The page's reports; instants are on the page's clock. */
export interface PageReport {
  sigils: [sigil: string, shownMs: number][];
  longTasks: [startMs: number, durationMs: number][];
  /** Null if no key was pressed. */
  keys: KeyTimings | null;
  lost: string | null;
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

export interface Reporter {
  sigil(sigil: string, shownMs: number): void;
  lost(reason: string): void;
  reconnected(atMs: number): void;
  broke(atMs: number): void;
  cursorMoved(atMs: number, movedBy: number): void;
  /** From now on, tasks that keep the page's main thread busy are reported too. */
  watchLongTasks(): void;
  /** From now on, how long each key took to show is reported too. */
  watchKeys(): void;
  /** Sends what is gathered, after the frame under way: what it shows still counts. */
  flush(): Promise<void>;
}

export function createReporter(): Reporter {
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

  return {
    sigil(sigil, shownMs) {
      report.sigils.push([sigil, shownMs]);
      sendSoon();
    },
    lost(reason) {
      report.lost = reason;
      send();
    },
    reconnected(atMs) {
      report.reconnectedMs.push(atMs);
      sendSoon();
    },
    broke(atMs) {
      report.brokenMs.push(atMs);
      sendSoon();
    },
    cursorMoved(atMs, movedBy) {
      report.cursorMoves.push([atMs, movedBy]);
      sendSoon();
    },
    watchLongTasks() {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          report.longTasks.push([performance.timeOrigin + entry.startTime, entry.duration]);
        }
        sendSoon();
      }).observe({ type: 'longtask' });
    },
    watchKeys() {
      takeKeys = createKeyWatch();
      // Keys that are fast are counted without an event that would call for a report.
      setInterval(sendSoon, REPORT_PERIOD_MS);
    },
    async flush() {
      // The screen stamps in a task after the frame; this one is queued behind it.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      send();
    },
  };
}

function emptyReport(): PageReport {
  return { sigils: [], longTasks: [], keys: null, lost: null, reconnectedMs: [], brokenMs: [], cursorMoves: [] };
}

/** The page's reports to its driver: gathered, so that neither is woken for every sigil. */

/** How long the page gathers what it reports; the live figures lag by as much. */
const REPORT_PERIOD_MS = 2000;

/** What the page reports; instants are on the page's clock. */
export interface PageReport {
  sigils: [sigil: string, shownMs: number][];
  longTasks: [startMs: number, durationMs: number][];
  lost: string | null;
  /** When the library brought the connection back. */
  reconnectedMs: number[];
}

declare global {
  // The driver adds the binding before the page loads.
  var scriptoriumReport: ((report: string) => void) | undefined;
}

export interface Reporter {
  sigil(sigil: string, shownMs: number): void;
  lost(reason: string): void;
  reconnected(atMs: number): void;
  /** From now on, tasks that keep the page's main thread busy are reported too. */
  watchLongTasks(): void;
  /** Sends what is gathered, after the frame under way: what it shows still counts. */
  flush(): Promise<void>;
}

export function createReporter(): Reporter {
  let report = emptyReport();
  let timer: ReturnType<typeof setTimeout> | null = null;

  function send(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const { sigils, longTasks, lost, reconnectedMs } = report;
    if (lost === null && [sigils, longTasks, reconnectedMs].every(({ length }) => length === 0)) return;
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
    watchLongTasks() {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          report.longTasks.push([performance.timeOrigin + entry.startTime, entry.duration]);
        }
        sendSoon();
      }).observe({ type: 'longtask' });
    },
    async flush() {
      // The screen stamps in a task after the frame; this one is queued behind it.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      send();
    },
  };
}

function emptyReport(): PageReport {
  return { sigils: [], longTasks: [], lost: null, reconnectedMs: [] };
}

/**
 * The page that a Chrome user sits at. The driver calls `scriptorium.…` through the DevTools protocol; the page reports
 * through one binding, in batches, so that neither the driver nor the page is woken for every sigil.
 */
import type { FrameworkClient } from '../framework.ts';
import type { Screen } from '../screen.ts';
import { openSession, type Session } from '../session.ts';
import { countTraffic } from './traffic.ts';

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

/** What the driver gets each time that it asks. */
export interface PageSample {
  atMs: number;
  characters: number;
  traffic: { sentBytes: number; receivedBytes: number; sentMessages: number; receivedMessages: number };
}

export interface PageApi {
  open(options: PageOptions): Promise<void>;
  session(): Session;
  nowMs(): number;
  sample(): PageSample;
  paste(text: string): void;
  /** The middle of the toolbar's block buttons, in the order of `BLOCK_FORMATS`, in CSS pixels. */
  blockButtons(): { x: number; y: number }[];
  savedStateBase64(): string;
  /** Reports what waits, once the frame under way is shown: what is on its way to the screen counts. */
  flush(): Promise<void>;
}

export interface PageOptions {
  framework: string;
  mode: 'optquill' | 'noquill';
  url: string;
  documentId: string;
  batching: { receiveMs: number; sendMs: number };
}

declare global {
  // The driver adds the binding before the page loads.
  var scriptoriumReport: ((report: string) => void) | undefined;
  var scriptorium: PageApi;
}

// Found by folder: a framework that is added is in the bundle, each in a file of its own.
const clients = import.meta.glob<{ client: FrameworkClient }>('../*/client.ts');
const BLOCK_BUTTONS = [
  '.ql-header[value="1"]',
  '.ql-header[value="2"]',
  '.ql-list[value="ordered"]',
  '.ql-list[value="bullet"]',
];

let session: Session | null = null;
let report: PageReport = emptyReport();
let reportTimer: ReturnType<typeof setTimeout> | null = null;
const traffic = countTraffic(globalThis);

function emptyReport(): PageReport {
  return { sigils: [], longTasks: [], lost: null, reconnectedMs: [] };
}

function flush(): void {
  if (reportTimer !== null) clearTimeout(reportTimer);
  reportTimer = null;
  const { sigils, longTasks, lost, reconnectedMs } = report;
  if (lost === null && [sigils, longTasks, reconnectedMs].every(({ length }) => length === 0)) return;
  globalThis.scriptoriumReport?.(JSON.stringify(report));
  report = emptyReport();
}

function reportSoon(): void {
  reportTimer ??= setTimeout(flush, REPORT_PERIOD_MS);
}

async function createScreen(mode: PageOptions['mode'], container: HTMLElement): Promise<Screen> {
  switch (mode) {
    case 'optquill':
      return (await import('../quill/screen.ts')).createQuillScreen(container);
    case 'noquill':
      return (await import('../noquill/screen.ts')).createNoQuillScreen(container);
  }
}

globalThis.scriptorium = {
  async open({ framework, mode, url, documentId, batching }) {
    const load = clients[`../${framework}/client.ts`];
    if (load === undefined) throw new Error(`this page has no framework named "${framework}"`);
    const { client } = await load();
    const screen = await createScreen(mode, document.querySelector<HTMLElement>('#screen')!);
    session = await openSession({
      client,
      screen,
      url,
      documentId,
      batching,
      onSigil(sigil, shownMs) {
        report.sigils.push([sigil, shownMs]);
        reportSoon();
      },
      onLost(reason) {
        report.lost = reason;
        flush();
      },
      onReconnected() {
        report.reconnectedMs.push(scriptorium.nowMs());
        reportSoon();
      },
    });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        report.longTasks.push([performance.timeOrigin + entry.startTime, entry.duration]);
      }
      reportSoon();
    }).observe({ type: 'longtask' });
    document.querySelector<HTMLElement>('[contenteditable], [tabindex]')?.focus();
    session.move(0);
  },
  session() {
    if (session === null) throw new Error('no session is open');
    return session;
  },
  nowMs: () => performance.timeOrigin + performance.now(),
  sample() {
    return { atMs: this.nowMs(), characters: this.session().characters(), traffic: { ...traffic } };
  },
  paste(text) {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(paste);
  },
  blockButtons() {
    return BLOCK_BUTTONS.map((selector) => {
      const box = document.querySelector(selector)!.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    });
  },
  savedStateBase64: () => scriptorium.session().savedState().toBase64(),
  async flush() {
    // The screen stamps in a task after the frame; this one is queued behind it.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    flush();
  },
};

/** One user's page, worked through the DevTools protocol: a browser context of its own. What all drivers in Chrome share. */
import { constants } from 'node:os';
import type { Browser, CDPSession } from 'puppeteer-core';
import type { PageReport } from '../../../editors/base/instrument/reporter.ts';
import { measureOffset, nowMs } from '../../../infra/clock.ts';
import { countMemoryKills, memoryKillSince } from '../../../infra/process/child.ts';
import type { Assignment } from '../../trial/protocol.ts';
import type { EditorDriverEvents } from '../editor-driver.ts';
import type { KeyPress } from './keys.ts';

/** As the DevTools protocol has it. */
const NO_SPEED_LIMIT = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
/** Exchanges per thorough measurement of the page's clock. */
const CLOCK_ROUNDS = 12;

export type UserPage = Awaited<ReturnType<typeof openUserPage>>;

/**
 * Opens an empty page whose reports (`editors/base/instrument/reporter.ts`) arrive as events.
 *
 * @param options.cpuSlowdown by how much Chrome is to slow down its thread; absent: not at all
 */
export async function openUserPage(
  browser: Browser,
  events: EditorDriverEvents,
  { cpuSlowdown }: Pick<Assignment, 'cpuSlowdown'> = {},
) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const memoryKills = countMemoryKills();
  browser.on('disconnected', () => events.onLost(`its Chrome ended${memoryKillSince(memoryKills)}`));
  const devtools = await page.createCDPSession();
  const { targetInfo } = await devtools.send('Target.getTargetInfo');
  devtools.connection()!.on('Target.targetCrashed', ({ targetId, status, errorCode }) => {
    if (targetId !== targetInfo.targetId) return;
    events.onLost(`its page ${howItEnded(status, errorCode)}${memoryKillSince(memoryKills)}`);
  });
  if (cpuSlowdown !== undefined) await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  await devtools.send('Runtime.enable');
  await devtools.send('Runtime.addBinding', { name: 'scriptoriumReport' });
  devtools.on('Runtime.bindingCalled', ({ payload }) => {
    const report: PageReport = JSON.parse(payload);
    for (const [sigil, shownMs] of report.sigils) events.onSigil(sigil, shownMs);
    for (const change of report.sigilChanges) events.onSigilChanged(...change);
    for (const [startMs, durationMs] of report.longTasks) events.onLongTask(startMs, durationMs);
    for (const atMs of report.brokenMs) events.onBroken(atMs);
    for (const atMs of report.reconnectedMs) events.onReconnected(atMs);
    for (const [atMs, movedBy] of report.cursorMoves) events.onCursorMoved(atMs, movedBy);
    if (report.keys !== null) events.onKeys(report.keys);
    if (report.lost !== null) events.onLost(report.lost.reason, 'framework', report.lost.how);
  });
  watchErrors(devtools, events);
  /** The value of a JavaScript expression in the page, awaited; rejects with what it throws. */
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  };

  return {
    page,
    devtools,
    evaluate,
    /** Down and up leave together; resolves when Chrome acknowledged both, that is, the page's handlers ran. */
    async press({ down, up }: KeyPress): Promise<void> {
      await Promise.all([devtools.send('Input.dispatchKeyEvent', down), devtools.send('Input.dispatchKeyEvent', up)]);
    },
    async click({ x, y }: { x: number; y: number }): Promise<void> {
      const mouse = { x, y, button: 'left', clickCount: 1 } as const;
      await devtools.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...mouse });
      await devtools.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...mouse });
    },
    measureClock: (rounds = CLOCK_ROUNDS) =>
      measureOffset(async () => {
        const sentMs = nowMs();
        const otherMs = await evaluate<number>('performance.timeOrigin + performance.now()');
        return { sentMs, otherMs, receivedMs: nowMs() };
      }, rounds),
    /** A CPU profile of the page's thread as JSON, in the format that Chrome DevTools opens. */
    async profile(durationMs: number): Promise<string> {
      await devtools.send('Profiler.enable');
      await devtools.send('Profiler.start');
      await new Promise((resolve) => setTimeout(resolve, durationMs));
      const { profile } = await devtools.send('Profiler.stop');
      await devtools.send('Profiler.disable');
      return JSON.stringify(profile);
    },
    /** JavaScript objects of the page's thread and the buffers that they hold, after a garbage collection. */
    async heapBytes(): Promise<number> {
      await devtools.send('HeapProfiler.collectGarbage');
      // Memories of WebAssembly are in neither.
      const { usedSize, backingStorageSize } = await devtools.send('Runtime.getHeapUsage');
      return usedSize + backingStorageSize;
    },
    /** Sets the page's `navigator.onLine` and fires its event `online` or `offline`; connections are left alone. */
    async sayOnline(isOnline: boolean): Promise<void> {
      await devtools.send('Network.overrideNetworkState', { offline: !isOnline, ...NO_SPEED_LIMIT });
    },
    close: () => context.close(),
  };
}

/** How a page's process ended, as Chrome says, to follow "its page". */
function howItEnded(status: string, signal: number): string {
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? `code ${signal}`;
  if (name === 'SIGTRAP') return `crashed (${name}: Chrome ended it, as it does where its JavaScript memory is full)`;
  return `${status === 'killed' ? 'was killed' : 'crashed'} (${name})`;
}

/** Tells of what nothing in the page catches, rejections included, and of what it writes to its console as an error. */
function watchErrors(devtools: CDPSession, events: EditorDriverEvents): void {
  devtools.on('Runtime.exceptionThrown', ({ timestamp, exceptionDetails: { text, exception } }) => {
    events.onPageError(timestamp, exception?.description ?? text);
  });
  devtools.on('Runtime.consoleAPICalled', ({ type, timestamp, args }) => {
    if (type !== 'error' && type !== 'assert') return;
    events.onPageError(timestamp, args.map(({ value, description }) => String(value ?? description)).join(' '));
  });
}

/** Hands at a Chrome: real key events and clicks through the DevTools protocol, one browser context a user. */
import type { Browser, BrowserContext, CDPSession } from 'puppeteer-core';
import type { PageOptions, PageReport } from '../../editors/page/main.ts';
import type { SessionState } from '../../editors/session.ts';
import { measureOffset, nowMs } from '../clock.ts';
import type { Assignment } from '../trial/protocol.ts';
import type { Hands, HandsEvents, HandsSample } from './hands.ts';
import { type KeyPress, keyPress, shortcut } from './keys.ts';
import type { Action, InlineFormat } from './typist.ts';

/** Exchanges per measurement of the page's clock. */
const CLOCK_ROUNDS = 12;
const SHORTCUT_LETTERS: Record<InlineFormat, string> = { bold: 'b', italic: 'i' };

export function createChromeHands(browser: Browser): Hands {
  let context: BrowserContext;
  let devtools: CDPSession;
  let blockButtons: { x: number; y: number }[] = [];

  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  };
  /** Down and up leave together; Chrome acknowledges each when the page's handlers ran. */
  const press = async ({ down, up }: KeyPress) => {
    await Promise.all([devtools.send('Input.dispatchKeyEvent', down), devtools.send('Input.dispatchKeyEvent', up)]);
  };
  const click = async ({ x, y }: { x: number; y: number }) => {
    const mouse = { x, y, button: 'left', clickCount: 1 } as const;
    await devtools.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...mouse });
    await devtools.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...mouse });
  };
  const move = async (distance: number) => {
    if (distance !== 0) await evaluate(`scriptorium.session().move(${distance})`);
  };

  return {
    async join(assignment: Assignment, events: HandsEvents) {
      context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.on('error', () => events.onLost('its page crashed'));
      browser.on('disconnected', () => events.onLost('its Chrome ended'));
      devtools = await page.createCDPSession();
      await devtools.send('Runtime.enable');
      await devtools.send('Runtime.addBinding', { name: 'scriptoriumReport' });
      devtools.on('Runtime.bindingCalled', ({ payload }) => {
        const report: PageReport = JSON.parse(payload);
        for (const [sigil, shownMs] of report.sigils) events.onSigil(sigil, shownMs);
        for (const [startMs, durationMs] of report.longTasks) events.onLongTask(startMs, durationMs);
        for (const atMs of report.reconnectedMs) events.onReconnected(atMs);
        if (report.lost !== null) events.onLost(report.lost);
      });
      await page.goto(assignment.pageUrl);
      const { framework, mode, serverUrl, documentId, batching } = assignment;
      const options: PageOptions = { framework, mode, url: serverUrl, documentId, batching };
      await evaluate(`scriptorium.open(${JSON.stringify(options)})`);
      blockButtons = await evaluate('scriptorium.blockButtons()');
    },

    async perform(action: Action) {
      switch (action.kind) {
        case 'key':
          await move(action.move);
          return press(keyPress(action.text));
        case 'backspace':
        case 'delete':
          await move(action.move);
          return press(keyPress(action.kind));
        case 'paste':
          await move(action.move);
          return evaluate(`scriptorium.paste(${JSON.stringify(action.text)})`);
        case 'erase':
          await evaluate(`scriptorium.session().select(${action.move}, ${action.length})`);
          return press(keyPress('backspace'));
        case 'format-cursor':
          return press(shortcut(SHORTCUT_LETTERS[action.format]));
        case 'format-range':
          await evaluate(`scriptorium.session().select(${action.distance}, ${action.length})`);
          await press(shortcut(SHORTCUT_LETTERS[action.format]));
          return evaluate(`scriptorium.session().collapse(${-action.distance})`);
        case 'format-block':
          return click(blockButtons[action.button]!);
        case 'sigil-key':
          return press(keyPress(action.text));
      }
    },

    measureClock: () =>
      measureOffset(async () => {
        const sentMs = nowMs();
        const otherMs = await evaluate<number>('scriptorium.nowMs()');
        return { sentMs, otherMs, receivedMs: nowMs() };
      }, CLOCK_ROUNDS),
    sample: () => evaluate<HandsSample>('scriptorium.sample()'),
    state: () => evaluate<SessionState>('scriptorium.session().state()'),
    ownEdits: () => evaluate('scriptorium.session().ownEdits()'),
    contents: () => evaluate('scriptorium.session().contents()'),
    savedStateBase64: () => evaluate('scriptorium.savedStateBase64()'),
    flush: () => evaluate('scriptorium.flush()'),

    async profile(durationMs) {
      await devtools.send('Profiler.enable');
      await devtools.send('Profiler.start');
      await new Promise((resolve) => setTimeout(resolve, durationMs));
      const { profile } = await devtools.send('Profiler.stop');
      await devtools.send('Profiler.disable');
      return JSON.stringify(profile);
    },

    async leave() {
      if (browser.connected) {
        await evaluate('scriptorium.session().leave()');
        await context.close();
      }
    },
  };
}

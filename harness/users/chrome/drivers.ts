/**
 * The editor drivers in Chrome: real key events and clicks through the DevTools protocol, one browser context a user, one
 * process tree for all users here.
 */
import type { Browser } from 'puppeteer-core';
import type { PageOptions } from '../../../editors/base/page/main.ts';
import { screenOf } from '../../../frameworks/modes.ts';
import { startDelayLine } from '../../../infra/network/delay-line.ts';
import { targetAt } from '../../../infra/network/line-target.ts';
import { NO_LINK } from '../../../infra/network/link.ts';
import { ClientFailure, copiesOf, type Drivers, type DriversOptions, type EditorDriver } from '../editor-driver.ts';
import { type Gestures, performThere } from '../typing/perform.ts';
import { launchChrome } from './chrome.ts';
import { keyGestures } from './keys.ts';
import { openUserPage, type UserPage } from './user-page.ts';

export function openDrivers(options: DriversOptions): Promise<Drivers> {
  return openDriversAtChrome(options, createChromeDriver);
}

/**
 * Starts a Chrome for drivers of any kind.
 *
 * @param create `through` gives the address at which this machine reaches the coordinator's page, see `openPageProxy`
 * @throws Error with Chrome's own words if it does not start
 */
export async function openDriversAtChrome(
  { controlUrl, show }: DriversOptions,
  create: (browser: Browser, through: (pageUrl: string) => string) => EditorDriver,
): Promise<Drivers> {
  const through = await openPageProxy(controlUrl);
  const chrome = await launchChrome({ show }).catch((error: Error) => {
    throw new Error(`Chrome does not start: ${error.message}`, { cause: error });
  });
  return {
    create: () => create(chrome.browser, through),
    chrome: chrome.version,
    editorsPid: chrome.pid,
    close: chrome.close,
  };
}

const LOOPBACK = /^(127\.|localhost$|\[::1\]$)/;

/**
 * The page's way to Chrome where the coordinator is on another machine: a line without a delay on this one's loopback interface.
 * Browsers give their fine clock and their digests to pages of this machine and of https only, and let pages from
 * elsewhere not connect to this machine, where the delay line stands. So every user's page comes from 127.0.0.1.
 *
 * @param controlUrl the coordinator's control address: page and control connection have one port
 * @returns gives the address at which this machine's Chrome opens the page
 */
export async function openPageProxy(controlUrl: string): Promise<(pageUrl: string) => string> {
  const url = new URL(controlUrl);
  if (LOOPBACK.test(url.hostname)) return (pageUrl) => pageUrl;
  // It lives as long as the process does.
  const line = await startDelayLine({ target: targetAt(url), link: NO_LINK, seed: 0 });
  return (pageUrl) => `http://127.0.0.1:${line.port}${new URL(pageUrl).pathname}`;
}

/** @param through the address by which Chrome is to open the coordinator's page, see `openPageProxy` */
export function createChromeDriver(browser: Browser, through: (pageUrl: string) => string): EditorDriver {
  let userPage: UserPage;
  let blockButtons: { x: number; y: number }[] = [];

  const inPage = <T>(call: string): Promise<T> => userPage.evaluate(`scriptorium.${call}`);
  const inSession = <T>(call: string): Promise<T> => inPage(`session().${call}`);
  /** Errors that a framework's binding throws then are the page's, as within the event of a key. */
  const gesture = (call: string) =>
    userPage.evaluate(`try { scriptorium.session().${call}; } catch (error) { reportError(error); }`);
  const editor: Gestures<Promise<unknown>> = {
    ...keyGestures((key) => userPage.press(key)),
    async move(distance) {
      if (distance !== 0) await gesture(`move(${distance})`);
    },
    select: (distance, length) => gesture(`select(${distance}, ${length})`),
    unselect: () => gesture('unselect()'),
    look: (distance, length) => gesture(`look(${distance}, ${length})`),
    lookBack: () => gesture('lookBack()'),
    selectSigil: (sigil) => gesture(`selectSigil('${sigil}')`),
    leaveSigil: (change) => gesture(`leaveSigil('${change}')`),
    paste: (text) => inPage(`paste(${JSON.stringify(text)})`),
    formatBlock: (button) => userPage.click(blockButtons[button]!),
  };

  return {
    async join({ pageUrl, framework, mode, serverUrl, documentId, batching, user, ...assignment }, events) {
      userPage = await openUserPage(browser, events, assignment);
      await openClient(userPage, through(pageUrl));
      const { presence, begins, token, keepsSent, faults } = assignment;
      const options: PageOptions = {
        ...{ framework, screen: screenOf(mode), url: serverUrl, documentId, batching, presence, begins, token },
        // The end of a new document's only line must have an author.
        ownsEnd: user === 0,
        keepsSent,
        keepsMessages: user === 0,
        expectsFaults: faults.length > 0,
      };
      await inPage(`open(${JSON.stringify(options)})`).catch((error: Error) => {
        throw new ClientFailure(error);
      });
      blockButtons = await inPage('blockButtons()');
    },
    perform: (action) => performThere(editor, action),
    measureClock: (rounds) => userPage.measureClock(rounds),
    state: () => inSession('state()'),
    async leave() {
      if (browser.connected) {
        await inSession('leave()');
        await userPage.close();
      }
    },
    flush: () => inPage('flush()'),
    sample: () => inPage('sample()'),
    ownEdits: () => inPage('ownEdits()'),
    textSamples: () => inSession('textSamples()'),
    ownSigils: () => inSession('ownSigils()'),
    cursorNames: () => inSession('cursorNames()'),
    copies: (options) =>
      copiesOf(
        {
          savedDigest: () => inSession('savedDigest()'),
          lateDigest: (late) => inSession(`lateDigest(${JSON.stringify(late)})`),
        },
        options,
      ),
    contents: () => inSession('contents()'),
    savedStateBase64: () => inPage('savedStateBase64()'),
    sent: () => inPage('sent()'),
    profile: (durationMs) => userPage.profile(durationMs),
    heapBytes: () => userPage.heapBytes(),
    sayOnline: (isOnline) => userPage.sayOnline(isOnline),
    wasmBytes: () => inPage('wasmBytes()'),
    messages: () => inPage('messages()'),
  };
}

/**
 * @throws ClientFailure if the page's script, which holds the framework's client, throws as it is loaded; Error if it
 *         did not come
 */
async function openClient({ page, devtools, evaluate }: UserPage, url: string): Promise<void> {
  let thrown: string | null = null;
  devtools.once('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception } }) => {
    thrown = exception?.description ?? text;
  });
  // The trial bounds each step itself.
  await page.goto(url, { timeout: 0 });
  if ((await evaluate('typeof scriptorium')) !== 'undefined') return;
  if (thrown !== null) throw new ClientFailure(new Error(thrown));
  throw new Error('Chrome did not get the script of its page; perhaps its network process ended');
}

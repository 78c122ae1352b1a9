/** The editor driver in Chrome: real key events and clicks through the DevTools protocol, one browser context a user. */
import type { Browser } from 'puppeteer-core';
import type { PageOptions } from '../../../editors/base/page/main.ts';
import { screenOf } from '../../../frameworks/modes.ts';
import { copiesOf } from '../copies.ts';
import { ClientFailure, type EditorDriver } from '../editor-driver.ts';
import { type Gestures, performThere } from '../typing/perform.ts';
import { keyGestures } from './keys.ts';
import { openUserPage, type UserPage } from './user-page.ts';

/** @param through the address by which Chrome is to open the coordinator's page, see `openPageProxy` */
export function createChromeDriver(browser: Browser, through: (pageUrl: string) => string): EditorDriver {
  let userPage: UserPage;
  let blockButtons: { x: number; y: number }[] = [];

  const inPage = <T>(call: string): Promise<T> => userPage.evaluate(`scriptorium.${call}`);
  const inSession = <T>(call: string): Promise<T> => inPage(`session().${call}`);
  const editor: Gestures<Promise<void>> = {
    ...keyGestures((key) => userPage.press(key)),
    async move(distance) {
      if (distance !== 0) await inSession(`move(${distance})`);
    },
    select: (distance, length) => inSession(`select(${distance}, ${length})`),
    unselect: (distance) => inSession(`collapse(${-distance})`),
    paste: (text) => inPage(`paste(${JSON.stringify(text)})`),
    formatBlock: (button) => userPage.click(blockButtons[button]!),
  };

  return {
    async join({ pageUrl, framework, mode, serverUrl, documentId, batching, user, ...assignment }, events) {
      userPage = await openUserPage(browser, events);
      await openClient(userPage, through(pageUrl));
      // The end of a new document's only line must have an author.
      const ownsEnd = user === 0;
      const where = { framework, screen: screenOf(mode), url: serverUrl, documentId };
      const { presence, keepsSent, faults } = assignment;
      const traits = { presence, ownsEnd, keepsSent, keepsMessages: user === 0, expectsFaults: faults.length > 0 };
      const options: PageOptions = { ...where, batching, ...traits };
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
      copiesOf({ savedDigest: () => inSession('savedDigest()'), lateDigest: () => inSession('lateDigest()') }, options),
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
  await page.goto(url);
  if ((await evaluate('typeof scriptorium')) !== 'undefined') return;
  if (thrown !== null) throw new ClientFailure(new Error(thrown));
  throw new Error('Chrome did not get the script of its page; perhaps its network process ended');
}

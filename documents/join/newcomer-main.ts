/** The process of newcomers: a Chrome, the page for it, and one newcomer after another, each in a browser context of its own. */
import { type Coordinator, startCoordinator } from '../../harness/trial/coordinator.ts';
import { type Chrome, launchChrome } from '../../harness/users/chrome/chrome.ts';
import { openUserPage, type UserPage } from '../../harness/users/chrome/user-page.ts';
import type { EditorDriverEvents } from '../../harness/users/editor-driver.ts';
import { answerCalls } from '../../infra/process/answers.ts';
import { SubjectFailure } from '../scenario.ts';
import type { HeldDocument, Place } from './held-document.ts';
import type { JoinMarks, JoinOrder } from './page/newcomer.ts';

const HOST = '127.0.0.1';
/** How long a page that works may take to say what it has seen. */
const ANSWER_MS = 2000;

let framework: string;
let script: string;
let pages: Coordinator | null = null;
/** While it starts, too: whoever ends this process then must not leave it behind. */
let chrome: Promise<Chrome> | null = null;
let page: UserPage;
let crash: PromiseWithResolvers<never>;
let errors: string[] = [];

const nothing = () => {};

const calls = {
  /** @returns Chrome's version */
  async start(given: { framework: string; pageFolder: string; script: string }) {
    ({ framework, script } = given);
    // Nobody connects to it: it serves the page as in any trial, isolated, so that its clock is fine.
    const events = { onRecords: nothing, onFailed: nothing, onDisconnected: nothing };
    pages = await startCoordinator({ host: HOST, pageFolder: given.pageFolder, events });
    chrome = launchChrome({ show: false }).catch((error: Error) => {
      throw new Error(`Chrome does not start: ${error.message}`, { cause: error });
    });
    return (await chrome).version;
  },
  /** Opens a page in which all is loaded, and another document was joined and left. @throws SubjectFailure if that fails */
  async open(rehearsal: Place) {
    crash = Promise.withResolvers();
    crash.promise.catch(nothing);
    errors = [];
    const { browser } = await chrome!;
    page = await openUserPage(browser, eventsOf(crash));
    await page.page.goto(pages!.pageUrl(HOST));
    await inPage(script);
    await inNewcomer(`prepare(${JSON.stringify(framework)})`);
    requireNone('not-joined', await inNewcomer<string | null>(`rehearse(${JSON.stringify(rehearsal)})`));
  },
  /** Resolves once the client has joined. @throws SubjectFailure if it does not */
  async join(order: JoinOrder) {
    requireNone('not-joined', await inNewcomer<string | null>(`join(${JSON.stringify(order)})`));
  },
  /** Resolves once what another typed meanwhile is shown. @throws SubjectFailure if the client gives up */
  async untilCaughtUp() {
    requireNone('client-lost', await inNewcomer<string | null>('untilCaughtUp()'));
    return inNewcomer<JoinMarks>('marks()');
  },
  /** The marks so far; null if the page does not answer. */
  async marks() {
    const silence = new Promise<null>((resolve) => setTimeout(resolve, ANSWER_MS, null));
    return Promise.race([inNewcomer<JoinMarks>('marks()'), silence]);
  },
  held: () => inNewcomer<HeldDocument>('held()'),
  /** Closes the page, and tells of the errors in it. */
  async close() {
    await page.close();
    return errors;
  },
};
export type NewcomerCalls = typeof calls;
answerCalls(calls, async () => {
  await (await chrome)?.close();
  await pages?.close();
});

function inPage<T>(code: string): Promise<T> {
  return Promise.race([page.evaluate<T>(code), crash.promise]);
}

function inNewcomer<T>(call: string): Promise<T> {
  return inPage(`newcomer.${call}`);
}

/** News from the page beside its answers; sigils, long tasks and keys belong to trials in which people type. */
function eventsOf(crashed: PromiseWithResolvers<never>): EditorDriverEvents {
  return {
    onSigil: nothing,
    onSigilChanged: nothing,
    onLongTask: nothing,
    onKeys: nothing,
    onBroken: nothing,
    onReconnected: nothing,
    onCursorMoved: nothing,
    onLost: (reason) => crashed.reject(new Error(`the newcomer is lost: ${reason}`)),
    onPageError: (_atMs, message) => errors.push(message),
  };
}

/** @throws SubjectFailure if there is a reason */
function requireNone(code: string, reason: string | null): void {
  if (reason !== null) throw new SubjectFailure(code, `a newcomer could not join: ${reason}`);
}

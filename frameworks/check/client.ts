/** A client of the conformance suite: one user's page in real Chrome, joined to the framework's server over a delay line. */
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'puppeteer-core';
import type { Editor } from '../../editors/base/editor.ts';
import type { PageReport } from '../../editors/base/instrument/reporter.ts';
import type { PageOptions } from '../../editors/base/page/main.ts';
import type { Session, SessionContents, SessionState } from '../../editors/base/page/session.ts';
import { startDelayLine } from '../../infra/network/delay-line.ts';
import { tcpTarget } from '../../infra/network/line-target.ts';
import type { Link } from '../../infra/network/link.ts';

export interface ClientOptions {
  name: string;
  browser: Browser;
  pageUrl: string;
  server: { host: string; port: number };
  session: Omit<PageOptions, 'url'>;
  /** The link between this user and the server, so that edits cross on the way; the seed draws its jitter. */
  link: Link;
  seed: number;
}

export interface Client {
  name: string;
  /** Runs a function in the page; it sees nothing but its two arguments. */
  edit<A, R>(script: (editor: Editor, argument: A) => R | Promise<R>, argument: A): Promise<R>;
  /** As `edit`, with the whole session. */
  evaluate<A, R>(script: (session: Session, argument: A) => R | Promise<R>, argument: A): Promise<R>;
  paste(text: string): Promise<void>;
  /** Presses a key with Ctrl held down. */
  pressControl(key: 'z'): Promise<void>;
  state(): Promise<SessionState>;
  contents(): Promise<SessionContents>;
  /** Digest of the document that the saved state loads into; null if the framework cannot load one. */
  savedDigest(): Promise<string | null>;
  /** Leaves the document, reloads the page and joins again. */
  reload(): Promise<void>;
  /** Errors in the page or of its connection, apart from those that `edit` throws. */
  faults(): readonly string[];
  close(): Promise<void>;
}

/** @throws Error with the framework's own reason if the document cannot be joined */
export async function openClient(options: ClientOptions): Promise<Client> {
  const { name, browser, pageUrl, server, session, link, seed } = options;
  const context = await browser.createBrowserContext();
  const page: Page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String((error as Error).message ?? error)));
  await page.exposeFunction('scriptoriumReport', (report: string) => {
    const { lost } = JSON.parse(report) as PageReport;
    if (lost !== null) faults.push(lost.reason);
  });
  // After what Chrome's end would reject: nothing is open then that keeps this process.
  const line = await startDelayLine({ target: tcpTarget(server), link, seed });
  const open = async () => {
    await page.goto(pageUrl);
    await page.evaluate((each) => scriptorium.open(each), { ...session, url: `ws://127.0.0.1:${line.port}` });
  };
  const run = (script: unknown, on: string, argument: unknown) =>
    page.evaluate(`(${script})(${on}, ${JSON.stringify(argument)})`) as Promise<never>;
  const leave = () => page.evaluate(() => scriptorium.session().leave());
  const close = async () => {
    // After an interruption Chrome is gone, and its contexts with it.
    await context.close().catch((error) => {
      if (browser.connected) throw error;
    });
    await line.stop();
  };
  await open().catch(async (error) => {
    await close();
    throw error;
  });
  return {
    name,
    edit: (script, argument) => run(script, 'scriptorium.session().editor', argument),
    evaluate: (script, argument) => run(script, 'scriptorium.session()', argument),
    paste: (text) => page.evaluate((each) => scriptorium.paste(each), text),
    async pressControl(key) {
      await page.keyboard.down('Control');
      await page.keyboard.press(key);
      await page.keyboard.up('Control');
    },
    state: () => page.evaluate(() => scriptorium.session().state()),
    contents: () => page.evaluate(() => scriptorium.session().contents()),
    savedDigest: () => page.evaluate(() => scriptorium.session().savedDigest()),
    async reload() {
      await leave();
      await open();
    },
    faults: () => faults,
    async close() {
      await leave().catch((error) => faults.push(String(error)));
      // The client's last messages are still on the way.
      await setTimeout(2 * (link.oneWayDelayMs + link.jitterMs));
      await close();
    },
  };
}

// Orders to clients' editors. Each runs in the page, and sees nothing but its arguments.

export interface FormatArguments {
  index: number;
  length: number;
  formats: Record<string, unknown>;
}

export function insert(editor: Editor, { index, text }: { index: number; text: string }): void {
  editor.insertText(index, text, 'user');
}

export function insertAtEnd(editor: Editor, text: string): void {
  editor.insertText(editor.getLength() - 1, text, 'user');
}

export function remove(editor: Editor, { index, length }: { index: number; length: number }): void {
  editor.deleteText(index, length, 'user');
}

export function removeAll(editor: Editor): void {
  editor.deleteText(0, editor.getLength() - 1, 'user');
}

export function format(editor: Editor, { index, length, formats }: FormatArguments): void {
  editor.formatText(index, length, formats, 'user');
}

export function formatLine(editor: Editor, { index, length, formats }: FormatArguments): void {
  editor.formatLine(index, length, formats, 'user');
}

/** Starts a Chrome for several users: one process tree, one browser context a user, and messages to it over pipes. */
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer-core';
import { findChrome } from '../../../infra/local/chrome.ts';
import { Child } from '../../../infra/process/child.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../infra/process/made-once.ts';

/** Large enough for a toolbar and a page of text; every user's window is the same. */
const WINDOW = { width: 800, height: 600 };
/** `off` if Chrome cannot make its sandbox; only pages of this project are opened. */
export const SANDBOX_VARIABLE = 'SCRIPTORIUM_CHROME_SANDBOX';
/** How long Chrome may take to end when it is asked to. */
const CLOSE_LIMIT_MS = 3000;

/** Chrome makes a socket in its temporary folder, 45 characters below, and a socket's path holds 107. */
const LONGEST_TEMPORARY = 62;
const TOO_LONG =
  'the path of the temporary folder is too long for the socket that it makes there; set a shorter TMPDIR';

export type Chrome = Awaited<ReturnType<typeof launchChrome>>;

/** Chrome refuses to run sandboxed as root, and containers do not let it make the sandbox: see infra/compose/README.md. */
export function isSandboxed(asked: { account: number | undefined; variable: string | undefined }): boolean {
  return asked.account !== 0 && asked.variable !== 'off';
}

/**
 * @param options.show opens real windows to watch, instead of headless ones
 * @throws Error with Chrome's own words if it does not start
 */
export async function launchChrome(options: { show: boolean }) {
  const sandboxed = isSandboxed({ account: process.getuid?.(), variable: process.env[SANDBOX_VARIABLE] });
  const executablePath = await findChrome();
  // Not before it is needed: the command line knows this module, too, and the process that coordinates is to stay small.
  const { connect, defaultArgs } = await import('puppeteer-core');
  const profile = await makeTemporaryFolder('chrome');
  const args = await defaultArgs({
    headless: !options.show,
    userDataDir: profile,
    args: [
      // It needs no port, and Chrome ends by itself when this process is gone.
      '--remote-debugging-pipe',
      `--window-size=${WINDOW.width},${WINDOW.height}`,
      '--disable-quic',
      // A renderer in reserve would be counted as a user's memory.
      '--disable-features=SpareRendererForSitePerProcess',
      ...(sandboxed ? [] : ['--no-sandbox']),
    ],
  });
  const chrome = new Child({ command: [executablePath, ...args], hasPipes: true });
  const [, , , toChrome, fromChrome] = chrome.process.stdio;
  const browser = await connect({
    transport: createPipeTransport(toChrome as Writable, fromChrome as Readable),
    // Puppeteer would have Chrome report every WebSocket frame to this process.
    networkEnabled: false,
    issuesEnabled: false,
    // The trial bounds every step itself; a timer per keystroke costs more than it tells.
    protocolTimeout: 0,
    defaultViewport: null,
  }).catch(async (error) => {
    // Its end of the pipe is closed: what it said before tells why.
    chrome.kill();
    const { lastWords } = await chrome.ended;
    await removeTemporaryFolder(profile);
    const message = lastWords || String(error);
    throw new Error(tmpdir().length > LONGEST_TEMPORARY ? `${TOO_LONG}; it said: ${message}` : message);
  });
  return {
    browser,
    pid: chrome.pid,
    version: await browser.version(),
    /** Ends Chrome, by force if it does not end by itself, and removes its profile. */
    async close(): Promise<void> {
      // It counts from the request on: a Chrome that hangs does not answer that either.
      const ended = chrome.endWithin(CLOSE_LIMIT_MS);
      if (browser.connected) await Promise.race([browser.close().catch(() => {}), ended]);
      await ended;
      await removeTemporaryFolder(profile);
    },
  };
}

const END = 0;

/**
 * Carries DevTools messages over Chrome's pipes, with less work a message than Puppeteer's own transport. Messages sent in
 * one go are written at once; a message that comes alone is handed on at once. The driver's cost per keystroke depends on it.
 * Messages end with a zero byte, in both directions.
 */
export function createPipeTransport(toChrome: Writable, fromChrome: Readable): ConnectionTransport {
  let outgoing = '';
  let partial: Buffer[] = [];
  const incoming: string[] = [];
  let delivering = false;

  const transport: ConnectionTransport = {
    send(message) {
      if (outgoing === '') queueMicrotask(write);
      outgoing += `${message}\0`;
    },
    close() {
      toChrome.end();
    },
  };

  function write(): void {
    toChrome.write(outgoing);
    outgoing = '';
  }

  /** One message a turn: Puppeteer counts on its promises to be settled between two. */
  function deliver(): void {
    const message = incoming.shift();
    delivering = incoming.length > 0;
    if (delivering) setImmediate(deliver);
    if (message !== undefined) transport.onmessage?.(message);
  }

  fromChrome.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(END); end !== -1; end = chunk.indexOf(END, start)) {
      partial.push(chunk.subarray(start, end));
      incoming.push(partial.length === 1 ? partial[0]!.toString() : Buffer.concat(partial).toString());
      partial = [];
      start = end + 1;
    }
    if (start < chunk.length) partial.push(chunk.subarray(start));
    if (!delivering && incoming.length > 0) deliver();
  });
  fromChrome.on('close', () => transport.onclose?.());
  // A pipe with an error ends, and Chrome with it.
  fromChrome.on('error', () => {});
  toChrome.on('error', () => {});
  return transport;
}

/** Drivers at a Chrome: one process tree for all users here. */

import { createConnection, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import type { Browser } from 'puppeteer-core';
import type { Drivers, DriversOptions } from '../drivers.ts';
import type { EditorDriver } from '../editor-driver.ts';
import { launchChrome } from './chrome.ts';
import { createChromeDriver } from './chrome-driver.ts';

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
  const proxy = await openPageProxy(controlUrl);
  const chrome = await launchChrome({ show }).catch((error: Error) => {
    throw new Error(`Chrome does not start: ${error.message}`, { cause: error });
  });
  return {
    create: () => create(chrome.browser, proxy.through),
    chrome: chrome.version,
    editorsPid: chrome.pid,
    close: chrome.close,
  };
}

const LOOPBACK = /^(127\.|localhost$|\[::1\]$)/;

export interface PageProxy {
  /** The address at which this machine's Chrome opens the page. */
  through(pageUrl: string): string;
}

/**
 * The page's way to Chrome where the coordinator is on another machine: a plain TCP pipe on this one's loopback interface.
 * Browsers give their fine clock and their digests to pages of this machine and of https only, and let pages from
 * elsewhere not connect to this machine, where the delay line stands. So every user's page comes from 127.0.0.1.
 *
 * @param controlUrl the coordinator's control address: page and control connection have one port
 */
export async function openPageProxy(controlUrl: string): Promise<PageProxy> {
  const { hostname, port } = new URL(controlUrl);
  if (LOOPBACK.test(hostname)) return { through: (pageUrl) => pageUrl };
  const server = createServer((near) => {
    const far = createConnection({ host: hostname, port: Number(port) });
    // A connection that breaks is for the browser to report, or to open again.
    pipeline(near, far, near, () => {});
  });
  // It lives as long as the process does, and holds it for nothing.
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port: proxyPort } = server.address() as { port: number };
  return {
    through(pageUrl) {
      const url = new URL(pageUrl);
      return `http://127.0.0.1:${proxyPort}${url.pathname}`;
    },
  };
}

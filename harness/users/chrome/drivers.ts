/** Drivers at a Chrome: one process tree for all users here. */
import type { Browser } from 'puppeteer-core';
import type { Drivers, DriversOptions } from '../drivers.ts';
import type { EditorDriver } from '../editor-driver.ts';
import { launchChrome } from './chrome.ts';
import { createChromeDriver } from './chrome-driver.ts';
import { openPageProxy } from './page-proxy.ts';

export function openDrivers(options: DriversOptions): Promise<Drivers> {
  return openDriversAtChrome(options, createChromeDriver);
}

/**
 * Starts a Chrome for drivers of any kind.
 *
 * @param create `through` gives the address at which this machine reaches the coordinator's page, see page-proxy.ts
 * @throws Error with Chrome's own words where it does not start
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

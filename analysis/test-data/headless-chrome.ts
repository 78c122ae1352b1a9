/** A Chrome for tests that look at pages. */
import puppeteer, { type Browser } from 'puppeteer-core';
import { findChrome } from '../../infra/local/chrome.ts';

export async function launchHeadlessChrome(): Promise<Browser> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return puppeteer.launch({ executablePath: await findChrome(), args: [...asRoot, '--disable-dev-shm-usage'] });
}

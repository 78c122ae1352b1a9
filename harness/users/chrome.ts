/** Starts a Chrome for several users: one process tree, one browser context a user. */
import { type Browser, launch } from 'puppeteer-core';
import { findChrome } from '../../infra/local/chrome.ts';

/** Large enough for a toolbar and a page of text; every user's window is the same. */
const WINDOW = { width: 800, height: 600 };

/**
 * @param options.show opens real windows to watch, instead of headless ones
 * @throws Error with Chrome's own words where it does not start
 */
export async function launchChrome(options: { show: boolean }): Promise<Browser> {
  const runsAsRoot = process.getuid?.() === 0;
  return launch({
    executablePath: await findChrome(),
    headless: !options.show,
    // A pipe needs no port, and Chrome ends by itself when this process is gone.
    pipe: true,
    // Puppeteer would have Chrome report every WebSocket frame to this process.
    networkEnabled: false,
    issuesEnabled: false,
    // The trial bounds every step itself; a timer per keystroke costs more than it tells.
    protocolTimeout: 0,
    defaultViewport: null,
    // The host process ends Chrome on signals, after it has handed in what it holds.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      `--window-size=${WINDOW.width},${WINDOW.height}`,
      '--disable-quic',
      // A renderer in reserve would be counted as a user's memory.
      '--disable-features=SpareRendererForSitePerProcess',
      ...(runsAsRoot ? ['--no-sandbox'] : []),
    ],
  });
}

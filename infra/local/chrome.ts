/** The Chrome on this machine that users' pages run in. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { messageOf, Unavailable } from '../../results/user-error.ts';
import { runCommand } from '../process/child.ts';

/** Names under which distributions install Chrome and Chromium, the ones that update themselves first. */
const COMMANDS = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser'];
const MAC_APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
/** The folder in which `./scriptorium` puts a downloaded Chrome. */
const DOWNLOADED = resolve(import.meta.dirname, '../../.scriptorium/chrome');

/** Chrome answers `--version` in well under a second; one that takes this long hangs. */
const VERSION_TIMEOUT_MS = 10_000;

/**
 * Finds a Chrome: the one that `SCRIPTORIUM_CHROME` names, else the system's, else the one that `./scriptorium` downloaded.
 *
 * @returns the path of its executable
 * @throws UserError (exit code 3) if there is none, or `SCRIPTORIUM_CHROME` names none
 */
export async function findChrome(
  environment: { SCRIPTORIUM_CHROME?: string; PATH?: string } = process.env,
  downloaded: string = DOWNLOADED,
): Promise<string> {
  const named = environment.SCRIPTORIUM_CHROME;
  if (named) {
    if (isExecutable(named)) return named;
    const problem = `SCRIPTORIUM_CHROME is "${named}", which is no program`;
    throw new Unavailable(`${problem}; set it to the path of a Chrome or Chromium, or unset it`);
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
  if (process.platform === 'darwin') candidates.push(...MAC_APPLICATIONS);
  const installed = candidates.find((path) => isExecutable(path) && !isSnapStub(path));
  if (installed !== undefined) return installed;
  return downloadedChrome(downloaded);
}

/** The Chrome that was downloaded into a folder. @throws UserError (exit code 3) if there is none */
export async function downloadedChrome(folder: string): Promise<string> {
  const { Browser, getInstalledBrowsers } = await import('@puppeteer/browsers');
  const browsers = await getInstalledBrowsers({ cacheDir: folder });
  const chrome = browsers.find(
    ({ browser, executablePath }) => browser === Browser.CHROME && isExecutable(executablePath),
  );
  if (chrome) return chrome.executablePath;
  throw new Unavailable(
    'there is no Chrome on this machine; install Google Chrome or Chromium, or set SCRIPTORIUM_CHROME to the path of one',
  );
}

/**
 * Asks a Chrome for its version, such as `Chromium 141.0.7390.37`. It must be able to start for that.
 *
 * @throws UserError (exit code 3) if it does not start
 */
export async function chromeVersion(path: string): Promise<string> {
  try {
    const stdout = await runCommand([path, '--version'], { limitMs: VERSION_TIMEOUT_MS });
    const version = /\S+.* \d+(\.\d+)+/.exec(stdout)?.[0];
    if (version === undefined) throw new Error(`asked for its version, it says ${JSON.stringify(stdout.slice(0, 60))}`);
    return version;
  } catch (cause) {
    const problem = `the Chrome at "${path}" does not start (${messageOf(cause).split('\n')[0]})`;
    throw new Unavailable(`${problem}; install one that does, or set SCRIPTORIUM_CHROME to its path`, { cause });
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // Whatever the reason, there is nothing here that can be started.
  }
}

/** Ubuntu's `chromium-browser` is a script that only says how to install the snap, until that is there. */
function isSnapStub(path: string): boolean {
  const SNAP = '/snap/bin/chromium';
  // A script that long is no stub, and neither is a program.
  if (statSync(path).size > 10_000 || isExecutable(SNAP)) return false;
  return readFileSync(path, 'utf8').includes(SNAP);
}

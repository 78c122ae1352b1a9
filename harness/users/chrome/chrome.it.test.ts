/** A real Chrome: its end, pages whose processes are ended from outside, and a page that comes without its client. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { allProcessStats } from '../../../infra/process/stat.ts';
import { folderOfEachTest } from '../../../tests/folders.ts';
import type { Assignment } from '../../trial/protocol.ts';
import { ClientFailure, type EditorDriverEvents } from '../editor-driver.ts';
import { type Chrome, launchChrome } from './chrome.ts';
import { createChromeDriver } from './drivers.ts';
import { openUserPage } from './user-page.ts';

const isLinux = process.platform === 'linux';
const folder = folderOfEachTest();

const inGroup = (leader: number) => allProcessStats().filter(({ group, ended }) => group === leader && !ended);

/** @returns how many pages of a Chrome got the signal */
function signalPages(leader: number, signal: NodeJS.Signals): number {
  const isPage = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer');
  const pages = inGroup(leader).filter(({ pid }) => isPage(pid));
  for (const { pid } of pages) process.kill(pid, signal);
  return pages.length;
}

test.runIf(isLinux)('all of a Chrome ends with who started it, also a page that hangs', async () => {
  const script = `
    import { launchChrome } from ${JSON.stringify(join(import.meta.dirname, 'chrome.ts'))};
    const { pid, browser } = await launchChrome({ show: false });
    await browser.newPage();
    console.log(pid);`;
  const starter = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, TMPDIR: folder.path },
  });
  const leader = Number((await once(starter.stdout, 'data'))[0]);
  expect(signalPages(leader, 'SIGSTOP')).toBeGreaterThan(0);
  starter.kill('SIGKILL');
  await expect.poll(() => inGroup(leader)).toEqual([]);
});

describe('a page', () => {
  let chrome: Chrome;
  beforeAll(async () => {
    chrome = await launchChrome({ show: false });
  });
  afterAll(() => chrome.close());

  test.runIf(isLinux).each([
    ['SIGKILL', /^its page was killed \(SIGKILL\)/],
    ['SIGSEGV', /^its page crashed \(SIGSEGV\)/],
    ['SIGTRAP', /^its page crashed \(SIGTRAP: .*memory is full\)/],
  ] as const)('that ends by %s is lost, and that is said', async (signal, said) => {
    const onLost = vi.fn<EditorDriverEvents['onLost']>();
    const { page } = await openUserPage(chrome.browser, { onLost } as unknown as EditorDriverEvents);
    await page.goto('data:text/html,a page');
    signalPages(chrome.pid, signal);
    await expect.poll(() => onLost).toHaveBeenCalledOnce();
    expect(onLost.mock.calls[0]![0]).toMatch(said);
  });

  test('that keeps messages in buffers holds them in its heap, and no memories of WebAssembly', async () => {
    const { page, evaluate, heapBytes, close } = await openUserPage(chrome.browser, {} as EditorDriverEvents);
    await page.goto('data:text/html,a page');
    const before = await heapBytes();
    await evaluate('void (kept = new Uint8Array(8 * 2 ** 20), others = new WebAssembly.Memory({ initial: 1600 }))');
    expect((await heapBytes()) - before).toBeGreaterThan(7 * 2 ** 20);
    expect((await heapBytes()) - before).toBeLessThan(20 * 2 ** 20);
    await close();
  });

  test.each([
    [
      'did not come',
      '<script type="module" src="http://127.0.0.1:1/main.js"></script>',
      false,
      /get the script of its/,
    ],
    ['threw', '<script>throw new Error("no such codec")</script>', true, /no such codec/],
  ])('whose script %s: a failure of the client only if it threw', async (_what, page, isClients, message) => {
    const driver = createChromeDriver(chrome.browser, (pageUrl) => pageUrl);
    const assignment = { pageUrl: `data:text/html,${page}` } as Assignment & { serverUrl: string };
    const events = { onPageError() {} } as unknown as EditorDriverEvents;
    const error: Error = await driver.join(assignment, events).then(
      () => expect.fail('it joined'),
      (reason) => reason,
    );
    expect(error instanceof ClientFailure).toBe(isClients);
    expect(error.message).toMatch(message);
  });

  test('whose framework throws as the cursor moves has an error, as with a key, and its user types on', async () => {
    const session = `{ move() { throw new Error('no cursor here'); }, select: () => true, selectSigil: () => false }`;
    const page = `<script>scriptorium = { open() {}, blockButtons: () => [], session: () => (${session}) }</script><input autofocus>`;
    const errors: string[] = [];
    const onPageError = (_atMs: number, message: string) => errors.push(message);
    const driver = createChromeDriver(chrome.browser, (pageUrl) => pageUrl);
    const assignment = {
      ...{ pageUrl: `data:text/html,${page}`, framework: 'yjs', mode: 'noquill', serverUrl: '', faults: [] },
    } as unknown as Assignment & { serverUrl: string };
    await driver.join(assignment, { onPageError } as unknown as EditorDriverEvents);
    expect(await driver.perform({ kind: 'key', move: 1, text: 'a' })).toBe(true);
    await expect.poll(() => errors).toEqual([expect.stringContaining('no cursor here')]);
    // An answer is the session's own.
    expect(await driver.perform({ kind: 'sigil-delete', sigil: '0a@fo' })).toBe(false);
  });
});

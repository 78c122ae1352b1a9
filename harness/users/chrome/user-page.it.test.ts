/** A user's page in a real Chrome whose processes are ended from outside. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { allProcessStats } from '../../../infra/process/stat.ts';
import type { EditorDriverEvents } from '../editor-driver.ts';
import { type Chrome, launchChrome } from './chrome.ts';
import { openUserPage } from './user-page.ts';

let chrome: Chrome;
beforeAll(async () => {
  chrome = await launchChrome({ show: false });
});
afterAll(() => chrome.close());

function endPages(signal: NodeJS.Signals): void {
  const isPage = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer');
  const all = allProcessStats().filter(({ group, ended }) => group === chrome.pid && !ended);
  for (const { pid } of all) if (isPage(pid)) process.kill(pid, signal);
}

test.runIf(process.platform === 'linux').each([
  ['SIGKILL', /^its page was killed \(SIGKILL\)/],
  ['SIGSEGV', /^its page crashed \(SIGSEGV\)/],
  ['SIGTRAP', /^its page crashed \(SIGTRAP: .*memory is full\)/],
] as const)('a page that ends by %s is lost, and that is said', async (signal, said) => {
  const onLost = vi.fn<EditorDriverEvents['onLost']>();
  const { page } = await openUserPage(chrome.browser, { onLost } as unknown as EditorDriverEvents);
  await page.goto('data:text/html,a page');
  endPages(signal);
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce(), 5000);
  expect(onLost.mock.calls[0]![0]).toMatch(said);
});

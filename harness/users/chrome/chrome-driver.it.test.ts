/** A page that comes without its client, in a real Chrome. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Assignment } from '../../trial/protocol.ts';
import { ClientFailure, type EditorDriverEvents } from '../editor-driver.ts';
import { type Chrome, launchChrome } from './chrome.ts';
import { createChromeDriver } from './drivers.ts';

let chrome: Chrome;
beforeAll(async () => {
  chrome = await launchChrome({ show: false });
});
afterAll(() => chrome.close());

function join(page: string): Promise<void> {
  const driver = createChromeDriver(chrome.browser, (pageUrl) => pageUrl);
  const assignment = { pageUrl: `data:text/html,${page}` } as Assignment & { serverUrl: string };
  return driver.join(assignment, { onPageError() {} } as unknown as EditorDriverEvents);
}

test('that its script did not come is no failure of the client, that it threw is', async () => {
  const notCome = await join('<script type="module" src="http://127.0.0.1:1/main.js"></script>').catch(
    (error) => error,
  );
  expect(notCome).not.toBeInstanceOf(ClientFailure);
  expect(notCome.message).toMatch(/did not get the script of its page/);
  const thrown = await join('<script>throw new Error("no such codec")</script>').catch((error) => error);
  expect(thrown).toBeInstanceOf(ClientFailure);
  expect(thrown.message).toMatch(/no such codec/);
});

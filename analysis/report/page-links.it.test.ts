/** The links of a page, in real Chrome. */
import { mkdir, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { folderOfAllTests } from '../../tests/folders.ts';
import { reportPage } from '../page/report-page.ts';
import { launchHeadlessChrome } from '../test-data/headless-chrome.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { readPageFiles } from './bundle.ts';
import { reportedOf } from './typing-report.ts';

const folder = folderOfAllTests();
let browser: Browser;
let page: Page;
let complaints: unknown[];

beforeAll(async () => {
  const grid = { modes: ['optquill'], trials: 3, seconds: 40 };
  const data = syntheticReport({ ...grid, frameworks: ['yjs', 'broken'], userCounts: [4, 8] });
  await mkdir(folder.path, { recursive: true });
  await writeFile(folder.in('report.html'), reportPage(reportedOf(data), await readPageFiles()));
  browser = await launchHeadlessChrome();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  complaints = [];
  page = await browser.newPage();
  page.on('pageerror', (error) => complaints.push(error));
});

async function open(hash = ''): Promise<void> {
  await page.goto(pathToFileURL(folder.in('report.html')).href + hash);
  await page.waitForSelector('#rows table');
}

const CELL = '#cell-1-yjs-optquill-4';
const isCellOpen = () => page.$eval(CELL, (cell) => (cell as HTMLDetailsElement).open);

test('a cell that the address names is open', async () => {
  await open(CELL);
  expect(await isCellOpen()).toBe(true);
});

test('a cell that a link leads to opens, at each click anew', async () => {
  await open();
  await page.click('#rows tbody a[aria-expanded]');
  const link = await page.waitForSelector(`.more a[href="${CELL}"]`);
  expect(await isCellOpen()).toBe(false);
  await link!.click();
  await expect.poll(isCellOpen).toBe(true);
  await page.$eval(CELL, (cell) => (cell as HTMLDetailsElement).removeAttribute('open'));
  await page.$eval(`.more a[href="${CELL}"]`, (each) => (each as HTMLAnchorElement).click());
  expect(await isCellOpen()).toBe(true);
});

test('taking back a filter draws all anew, and its control keeps the focus', async () => {
  await open();
  const rows = () => page.$$eval('#rows tbody a[aria-expanded]', (all) => all.length);
  const press = async () => {
    await page.focus('[data-key="valid"]');
    await page.keyboard.press('Enter');
  };
  const before = await rows();
  await press();
  await expect.poll(rows).toBeLessThan(before);
  await press();
  await expect.poll(rows).toBe(before);
  expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.key)).toBe('valid');
  expect(complaints).toEqual([]);
});

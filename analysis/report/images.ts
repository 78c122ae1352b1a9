/** The report's charts as files for a paper, taken from `report.html` by a Chrome. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { makeFolder } from '../../results/formats/write-file.ts';
import { UserError } from '../../results/user-error.ts';
import type { Figure, ReportPage } from '../page/panels.ts';

declare const reportPage: ReportPage;

export type ImageFormat = 'png' | 'pdf';

/** Twice as many pixels as a screen has: what journals ask of figures. */
const PIXELS_PER_PIXEL = 2;
/** Wider than a chart, so that nothing is cut; its height is the chart's own. */
const WINDOW = { width: 760, height: 600 };
const OPEN_LIMIT_MS = 30_000;

interface ImageOptions {
  reportPath: string;
  /** Where `charts/` goes. */
  outDirectory: string;
  /** At least one. */
  formats: readonly ImageFormat[];
  /** Starts a headless Chrome, which is closed here. */
  launch: () => Promise<{ browser: Browser; close(): Promise<void> }>;
}

/**
 * Writes each chart of a report, for each mode (and over time for each user count), as `charts/<chart>-<mode>.<format>`.
 *
 * @returns the paths written
 * @throws UserError (exit code 2) where there is no report at that path
 */
export async function writeChartImages(options: ImageOptions): Promise<string[]> {
  const { reportPath, outDirectory, formats, launch } = options;
  await access(reportPath).catch((cause) => {
    throw new UserError(`there is no report at ${reportPath}; write it first with ./scriptorium report`, { cause });
  });
  const folder = join(outDirectory, 'charts');
  makeFolder(folder);
  const chrome = await launch();
  try {
    const page = await openReport(chrome.browser, reportPath);
    const written: string[] = [];
    for (const figure of await page.evaluate(() => reportPage.figures())) {
      await page.evaluate((one) => reportPage.isolate(one), figure);
      for (const format of formats) {
        const path = join(folder, `${figure.name}.${format}`);
        await takeImage(page, figure, { format, path });
        written.push(path);
      }
    }
    return written;
  } finally {
    await chrome.close();
  }
}

async function openReport(browser: Browser, reportPath: string): Promise<Page> {
  const page = await browser.newPage();
  await page.setViewport({ ...WINDOW, deviceScaleFactor: PIXELS_PER_PIXEL });
  await page.goto(pathToFileURL(reportPath).href, { timeout: OPEN_LIMIT_MS });
  return page;
}

async function takeImage(page: Page, figure: Figure, { format, path }: { format: ImageFormat; path: string }) {
  const chart = (await page.$(`#${figure.panel}`))!;
  if (format === 'png') {
    await chart.screenshot({ path: path as `${string}.png` });
    return;
  }
  const { width, height } = (await chart.boundingBox())!;
  // One page, exactly as large as the chart.
  await page.pdf({
    path,
    width: Math.ceil(width),
    height: Math.ceil(height) + 1,
    printBackground: true,
    pageRanges: '1',
  });
}

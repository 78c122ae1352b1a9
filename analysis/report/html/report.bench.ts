/** How large the report of a full paper grid is, and how soon it is there when it is opened. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'puppeteer-core';
import { PAPER_GRID, syntheticReport } from '../../test-data/synthetic-report.ts';
import { renderReportHtml } from './render.ts';

interface ReportBench {
  cells: number;
  megabytes: number;
  /** From the data to the page's text; the first time the page's script is built, too. */
  firstRenderMs: number;
  renderMs: number;
  /** From the call to open the file until the first charts are drawn, the median of several. */
  openMs: number;
}

const OPENINGS = 5;

/** @param launch starts a headless Chrome, which is closed here */
export async function benchReport(
  launch: () => Promise<{ browser: Browser; close(): Promise<void> }>,
): Promise<ReportBench> {
  const data = syntheticReport(PAPER_GRID);
  const timed = async () => {
    const startMs = performance.now();
    const page = await renderReportHtml(data);
    return { page, elapsedMs: performance.now() - startMs };
  };
  const first = await timed();
  const second = await timed();
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-report-'));
  const chrome = await launch();
  try {
    const path = join(folder, 'report.html');
    await writeFile(path, first.page);
    const openings: number[] = [];
    for (let opening = 0; opening < OPENINGS; opening++) openings.push(await open(chrome.browser, path));
    return {
      cells: data.cells.length,
      megabytes: Buffer.byteLength(first.page) / 1e6,
      firstRenderMs: first.elapsedMs,
      renderMs: second.elapsedMs,
      openMs: openings.sort((a, b) => a - b)[Math.floor(OPENINGS / 2)]!,
    };
  } finally {
    await chrome.close();
    await rm(folder, { recursive: true });
  }
}

async function open(browser: Browser, path: string): Promise<number> {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  const startMs = performance.now();
  await page.goto(pathToFileURL(path).href);
  // Charts are drawn when they come into view: the time for a whole screen of them belongs to opening.
  await page.evaluate(async () => {
    document.querySelector('#charts')!.scrollIntoView();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  const elapsedMs = performance.now() - startMs;
  await page.close();
  return elapsedMs;
}

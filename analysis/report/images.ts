/** The report's charts as files for a paper: those of `svg-chart.ts`, which a Chrome turns into pixels or pages. */
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { makeFolder } from '../../results/formats/write-file.ts';
import { svgImage } from '../charts/svg-chart.ts';
import { chartFiles } from '../page/chart-files.ts';
import { pageDataOf, type ReportData } from '../page/report-page.ts';

export type ImageFormat = 'png' | 'pdf';

/** Twice as many pixels as a screen has: what journals ask of figures. */
const PIXELS_PER_PIXEL = 2;
/** Wider than a chart, so that nothing is cut. */
const WINDOW = { width: 1200, height: 600, deviceScaleFactor: PIXELS_PER_PIXEL };

interface ImageOptions {
  report: ReportData;
  /** Where `charts/` goes. */
  outDirectory: string;
  /** At least one. */
  formats: readonly ImageFormat[];
  /** Starts a headless Chrome, which is closed here. */
  launch: () => Promise<{ browser: Browser; close(): Promise<void> }>;
}

/** Writes each chart of a report, for each mode (and over time for each user count), as `charts/<chart>-<mode>.<format>`. */
export async function writeChartImages({ report, outDirectory, formats, launch }: ImageOptions): Promise<void> {
  const folder = join(outDirectory, 'charts');
  makeFolder(folder);
  const chrome = await launch();
  try {
    const page = await chrome.browser.newPage();
    await page.setViewport(WINDOW);
    for (const [name, model] of chartFiles(pageDataOf(report))) {
      await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svgImage(model)}`);
      const chart = (await page.$('svg'))!;
      const { width, height } = (await chart.boundingBox())!;
      for (const format of formats) {
        const path = join(folder, `${name}.${format}`);
        if (format === 'png') await chart.screenshot({ path: path as `${string}.png` });
        // One page, exactly as large as the chart.
        else await page.pdf({ path, width, height: height + 1, printBackground: true, pageRanges: '1' });
      }
    }
  } finally {
    await chrome.close();
  }
}

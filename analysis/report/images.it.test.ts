/** Charts as files, taken by a real Chrome. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { chartsOver } from '../figures/catalogue.ts';
import { reportPage } from '../page/report-page.ts';
import { launchHeadlessChrome } from '../test-data/headless-chrome.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { readPageFiles } from './bundle.ts';
import { writeChartImages } from './images.ts';
import { reportedOf } from './typing-report.ts';

const FOLDER = resolve(import.meta.dirname, '../../out/images-test');

test('each chart of each mode, at twice the resolution of a screen', async () => {
  // No time passes, so nothing is shown over time.
  const small = syntheticReport({ frameworks: ['yjs'], modes: ['optquill'], userCounts: [4], trials: 3, seconds: 0 });
  await mkdir(FOLDER, { recursive: true });
  const reportPath = join(FOLDER, 'small.html');
  await writeFile(reportPath, reportPage(reportedOf(small), await readPageFiles()));
  const written = await writeChartImages({
    reportPath,
    outDirectory: FOLDER,
    formats: ['png', 'pdf'],
    launch: async () => {
      const browser = await launchHeadlessChrome();
      return { browser, close: () => browser.close() };
    },
  });
  const names = written.map((path) => path.slice(FOLDER.length + 1));
  expect(names).toContain('charts/local-median-optquill.png');
  expect(names).toContain('charts/throughput-optquill.pdf');
  // And the latencies from the median to the 95th percentile.
  expect(names).toHaveLength(2 * (chartsOver('users').length + 2));

  const png = await readFile(join(FOLDER, 'charts/local-median-optquill.png'));
  // In its header; the chart is 720 pixels wide.
  expect(png.readUInt32BE(16)).toBe(1440);
  expect(png.readUInt32BE(20)).toBeGreaterThan(200);
});

test('without a report it says what to do', async () => {
  const launch = () => Promise.reject(new Error('not to be started'));
  const images = writeChartImages({
    reportPath: join(FOLDER, 'none.html'),
    outDirectory: FOLDER,
    formats: ['png'],
    launch,
  });
  await expect(images).rejects.toThrow(/there is no report at .*none\.html; write it first/);
});

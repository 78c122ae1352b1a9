/** Charts as files, taken by a real Chrome. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { chartsOver } from '../figures/catalogue.ts';
import { launchHeadlessChrome } from '../test-data/headless-chrome.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { writeChartImages } from './images.ts';

const FOLDER = resolve(import.meta.dirname, '../../out/images-test');

test('each chart of each mode, at twice the resolution of a screen', async () => {
  // No time passes, so nothing is shown over time.
  const small = syntheticReport({ frameworks: ['yjs'], modes: ['optquill'], userCounts: [4], trials: 3, seconds: 0 });
  await rm(FOLDER, { recursive: true, force: true });
  await writeChartImages({
    report: small,
    outDirectory: FOLDER,
    formats: ['png', 'pdf'],
    launch: async () => {
      const browser = await launchHeadlessChrome();
      return { browser, close: () => browser.close() };
    },
  });
  const names = await readdir(join(FOLDER, 'charts'));
  expect(names).toContain('local-median-optquill.png');
  expect(names).toContain('throughput-optquill.pdf');
  // And the latencies from the median to the 95th percentile.
  expect(names).toHaveLength(2 * (chartsOver('users').length + 2));

  const png = await readFile(join(FOLDER, 'charts/local-median-optquill.png'));
  // In its header; the chart is 720 pixels wide.
  expect(png.readUInt32BE(16)).toBe(1440);
  expect(png.readUInt32BE(20)).toBeGreaterThan(200);
});

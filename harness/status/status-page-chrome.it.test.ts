/** The status page in real Chrome: charts fill in, and stay when the run has ended. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { writtenOf } from '../../analysis/test-data/written-cell.ts';
import { nowMs } from '../../infra/clock.ts';
import { SUMMARY_SCHEMA_VERSION } from '../../results/formats/summary.ts';
import { folderOfAllTests } from '../../tests/folders.ts';
import { type Chrome, launchChrome } from '../users/chrome/chrome.ts';
import { keepRunStatus } from './run-status-keeper.ts';
import { serveStatusPage } from './status-page.ts';

let chrome: Chrome;
const folder = folderOfAllTests();

beforeAll(async () => {
  chrome = await launchChrome({ show: false });
});
afterAll(async () => {
  await chrome?.close();
});

const planned = {
  cell: 'yjs-noquill-2',
  framework: 'yjs',
  mode: 'noquill',
  users: 2,
  trial: 1,
  seed: 1,
  directory: 'trials/yjs-noquill-2-1',
};

test('the charts of the trial and of the finished cells fill in, and the page keeps them when the run ends', async () => {
  await folder.put('report.html');
  const status = keepRunStatus({ experiment: 'smoke', directory: folder.path, plan: [planned] });
  const server = await serveStatusPage(status);
  const page = await chrome.browser.newPage();
  page.setDefaultTimeout(8_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  try {
    status.onTrial(planned, 0);
    status.onPhase('warm-up', nowMs() + 60_000);
    const typing = { type: 'typing' as const, skipped: 0, sigilsSkipped: 0, formats: 0, lagMs: [], driverLagMs: [] };
    for (const user of [0, 1]) {
      status.onRecords(user, [
        { type: 'clock', atMs: nowMs(), offsetMs: 0, errorMs: 0.1 },
        { ...typing, atMs: nowMs(), offered: 6, performed: 3 },
      ]);
    }
    const { cells } = syntheticReport({
      frameworks: ['yjs', 'loro'],
      modes: ['noquill'],
      userCounts: [2],
      trials: 1,
      seconds: 20,
    });
    await page.goto(server.address);
    await page.waitForSelector('#throughput-over-time .plot[aria-label*="From 50.0 (yjs)"]');
    expect(await page.$eval('#local-median-unknown', (panel) => (panel as HTMLElement).hidden)).toBe(true);

    status.onSummary({
      schemaVersion: SUMMARY_SCHEMA_VERSION,
      experiment: 'smoke',
      startedAt: '2026-01-01T00:00:00Z',
      environment: {},
      cells: cells.map(writtenOf),
    });
    await page.waitForSelector('#local-median-unknown:not([hidden]) .plot[aria-label*="yjs, loro"]');

    status.onVerdict(planned, { schemaVersion: 1, verdict: 'valid', reasons: [], notes: [], converged: true });
    status.onEnd();
    await server.stop();
    await page.waitForSelector('#report:not([hidden])');
    const text = await page.$eval('body', (body) => body.textContent);
    expect(text).toContain('The run has ended. Trials that ran: 1 of 1.');
    expect(text).toContain(folder.in('report.html'));
    expect(await page.$('#throughput-over-time:not([hidden])')).not.toBe(null);
    expect(await page.$('#local-median-unknown:not([hidden])')).not.toBe(null);
    expect(complaints).toEqual([]);
  } finally {
    await page.close();
  }
});

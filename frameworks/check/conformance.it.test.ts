/** The conformance suite itself: that it can fail, and says why. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Coordinator, startCoordinator } from '../../harness/trial/coordinator.ts';
import { type Chrome, launchChrome } from '../../harness/users/chrome/chrome.ts';
import { discoverFrameworks } from '../discover.ts';
import type { Framework } from '../framework.ts';
import { buildPage } from '../page-build.ts';
import { type CheckResult, checkFramework, formatCheck } from './conformance.ts';

describe('a framework that merges nothing', () => {
  let chrome: Chrome;
  let pages: Coordinator;
  let loopback: Framework;
  beforeAll(async () => {
    const pageFolder = await buildPage();
    chrome = await launchChrome({ show: false });
    pages = await startCoordinator({
      host: '127.0.0.1',
      pageFolder,
      events: { onRecords() {}, onFailed() {}, onDisconnected() {} },
    });
    loopback = (await discoverFrameworks()).find(({ name }) => name === 'loopback')!;
  });
  afterAll(async () => {
    await chrome.close();
    await pages.close();
  });
  const checked = (framework: Framework, only: string[]): Promise<CheckResult> =>
    checkFramework({
      framework,
      mode: 'noquill',
      browser: chrome.browser,
      pageUrl: pages.pageUrl('127.0.0.1'),
      seed: 1,
      only,
      signal: new AbortController().signal,
      agreeLimitMs: 3000,
    });

  test('fails where two write at once, and only there', async () => {
    const merging = { ...loopback, about: { ...loopback.about, oneWriter: false } };
    const { findings } = await checked(merging, ['own-undo', 'concurrent-insert', 'reload']);
    expect(findings.map(({ property, outcome }) => [property, outcome])).toEqual([
      ['own-undo', 'holds'],
      ['concurrent-insert', 'fails'],
      ['reload', 'holds'],
      ['saved-state', 'holds'],
    ]);
    expect(findings[1]!.message).toMatch(/^after 3 s client 1 differs from client 0: /);
  });

  test('is not failed where it does not claim to merge', async () => {
    const { findings } = await checked(loopback, ['concurrent-insert']);
    expect(findings.every(({ outcome }) => outcome === 'not supported')).toBe(true);
  });
});

test('the table shows each outcome, says why, and how to see a failure again', () => {
  const table = formatCheck(
    [
      {
        framework: 'one',
        mode: 'noquill',
        findings: [
          { property: 'paste', outcome: 'holds', message: null },
          { property: 'reload', outcome: 'fails', message: 'client 1 differs' },
          { property: 'random', outcome: 'known issue', message: 'it is known' },
        ],
      },
    ],
    7,
  );
  expect(table).toContain('one        noquill  ✓      ✗       !');
  expect(table).toContain('✗ one noquill, reload: client 1 differs');
  expect(table).toContain('! one noquill, random: it is known');
  expect(table).toContain('./scriptorium check one --mode noquill --only reload --seed 7');
});

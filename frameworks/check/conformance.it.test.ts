/** The conformance suite itself: that it can fail, and says why. */
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Coordinator, startCoordinator } from '../../harness/trial/coordinator.ts';
import { type Chrome, launchChrome } from '../../harness/users/chrome/chrome.ts';
import { PROJECT_ROOT } from '../../infra/project.ts';
import { discoverFrameworks } from '../discover.ts';
import type { Framework } from '../framework.ts';
import { buildPage } from '../page-build.ts';
import { type CheckResult, checkFramework, formatCheck } from './conformance.ts';
import { CHECK_SIZES } from './properties.ts';

describe('a framework', () => {
  let chrome: Chrome;
  let pages: Coordinator;
  let loopback: Framework;
  let relayed: Framework;
  beforeAll(async () => {
    const pageFolder = await buildPage();
    chrome = await launchChrome({ show: false });
    pages = await startCoordinator({
      host: '127.0.0.1',
      pageFolder,
      events: { onRecords() {}, onFailed() {}, onDisconnected() {} },
    });
    const all = await discoverFrameworks();
    loopback = all.find(({ name }) => name === 'loopback')!;
    relayed = all.find(({ name }) => name === 'yjs-relay')!;
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
      // It waits twice as long, to tell what is slow.
      agreeLimitMs: 2000,
      // More would take a minute; `check` takes it.
      size: { ...CHECK_SIZES.brief, authors: 60, characters: 40_000 },
    });

  test('has a page that refuses what would not be counted', async () => {
    const page = await chrome.browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(pages.pageUrl('127.0.0.1'));
    const worker = await page.evaluate(async () => {
      const started = new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])));
      return new Promise((resolve) => {
        started.onmessage = () => resolve('runs');
        started.onerror = () => resolve('is refused');
      });
    });
    expect(worker).toBe('is refused');
    expect(errors.join()).toContain('the page refuses what it cannot count, worker-src blob');
    expect(await page.evaluate(() => 'RTCPeerConnection' in globalThis)).toBe(false);
    await page.close();
  });

  test('that merges nothing fails where two write at once, and only there', async () => {
    // One that is known to be slow may be, and fails all the same where it never agrees.
    const slow = { summary: 'It is slow.', properties: ['concurrent-insert'], says: 'too slow: ' };
    const merging = { ...loopback, about: { ...loopback.about, oneWriter: false, knownIssues: [slow] } };
    const { findings } = await checked(merging, ['own-undo', 'concurrent-insert', 'reload']);
    expect(findings.map(({ property, outcome }) => [property, outcome])).toEqual([
      // In no editor here Ctrl+Z takes anything back.
      ['own-undo', 'not supported'],
      ['concurrent-insert', 'fails'],
      ['reload', 'holds'],
      ['saved-state', 'holds'],
    ]);
    // The time is seen by the clock: full cores take a little more than the 4 s of patience.
    expect(findings[1]!.message).toMatch(/^after \d+(\.\d)? s client 1 differs from client 0: /);
  });

  test('that does not claim to merge is not failed for that', async () => {
    const { findings } = await checked(loopback, ['concurrent-insert']);
    expect(findings.every(({ outcome }) => outcome === 'not supported')).toBe(true);
  });

  test.each([
    ['loses what an author has just written and left', 'forgetful-server', ['reload', 'late-joiner', 'author-leaves']],
    ['loses a change once the document is long', 'limited-server', ['late-joiner', 'random', 'many-authors']],
    ['forgets a document that all have left', 'ephemeral-server', ['reload', 'late-joiner', 'all-leave']],
  ])('that %s fails by the last property alone', async (_defect, server, properties) => {
    const broken = { ...relayed, server: join(PROJECT_ROOT, `tests/broken-frameworks/${server}.ts`) };
    const { findings } = await checked(broken, properties);
    const outcomes = findings.slice(0, properties.length).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['holds', 'holds', 'fails']);
    expect(findings[2]!.message).toMatch(
      / s client \d differs from client 0: |^the document of who came when all had left: /,
    );
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
          { property: 'worlds', outcome: 'fails', message: 'world 1: agree' },
        ],
      },
      ...['bench/mine', 'my bench/mine'].map((folder): CheckResult => {
        const findings = [{ property: 'reload', outcome: 'fails', message: 'it differs' } as const];
        return { framework: 'mine', folder: resolve(folder), mode: 'noquill', findings };
      }),
    ],
    7,
  );
  expect(table).toContain('scriptorium check ./bench/mine --mode noquill --only reload --seed 7');
  expect(table).toContain("scriptorium check './my bench/mine' --mode noquill --only reload --seed 7");
  expect(table).toContain('one        noquill  ✓      ✗       !');
  expect(table).toContain('✗ one noquill, reload: client 1 differs');
  expect(table).toContain('! one noquill, random: it is known');
  expect(table).toContain('./scriptorium check one --mode noquill --only reload --seed 7');
  expect(table).toContain('./scriptorium check one --mode noquill --seed 7');
});

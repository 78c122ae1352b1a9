/** The report opened from its file in real Chrome. Pictures of it stay in `out/report-test/`, for people to look at. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { notesOf, reasonsOf } from '../../cell/messages.ts';
import { nameCells, timeChart, usersChart } from '../../charts/chart-model.ts';
import { chartsOver } from '../../figures/catalogue.ts';
import type { Tier } from '../../scenarios/cell.ts';
import { writeSite } from '../../site/write-site.ts';
import { launchHeadlessChrome } from '../../test-data/headless-chrome.ts';
import { SITE_SURROUNDINGS } from '../../test-data/site-surroundings.ts';
import { syntheticReport } from '../../test-data/synthetic-report.ts';
import type { ReportData } from '../report-data.ts';
import type { ReportPage } from './page/charted-page.ts';
import { renderReportHtml } from './render.ts';

declare const reportPage: ReportPage;

const FOLDER = resolve(import.meta.dirname, '../../../out/report-test');
const grid = { modes: ['optquill', 'noquill'], trials: 3, seconds: 90 };
/** As compare.yaml: many frameworks of two tiers, few user counts. */
const tiers: Record<string, Tier> = {
  ...{ automerge: 'library', collabs: 'library', 'collabs-novc': 'library', loro: 'library', 'yjs-relay': 'library' },
  ...{ yjs: 'deployed', 'yjs-hocuspocus': 'deployed', sharedb: 'deployed', 'automerge-repo': 'deployed' },
};
const wide = syntheticReport({ ...grid, frameworks: Object.keys(tiers), userCounts: [2, 4], tiers });
const long = syntheticReport({ ...grid, frameworks: ['yjs', 'sharedb', 'loro'], userCounts: [4, 8, 16] });
long.cells[0]!.figures = { ...long.cells[0]!.figures, serverCpuPercent: null };

let browser: Browser;
let page: Page;
let watched: ReturnType<typeof watchPage>;

const pathOf = (name: string) => join(FOLDER, `${name}.html`);

beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true });
  browser = await launchHeadlessChrome();
  for (const [name, data] of Object.entries({ wide, long }))
    await writeFile(pathOf(name), await renderReportHtml(data));
  await writeSite({ ...SITE_SURROUNDINGS, directories: [], outDirectory: join(FOLDER, 'site') });
});

afterAll(() => browser?.close());

/** The complaints of a page, and all that it loads. */
function watchPage(page: Page): { complaints: string[]; requests: string[] } {
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warn', 'assert'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  return { complaints, requests };
}

async function open(
  name: 'wide' | 'long' | 'pair' | 'site/index',
  options: { dark?: boolean; width?: number; height?: number; hash?: string } = {},
): Promise<void> {
  page = await browser.newPage();
  watched = watchPage(page);
  await page.setViewport({ width: options.width ?? 1280, height: options.height ?? 900 });
  const value = options.dark === true ? 'dark' : 'light';
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
  await page.goto(pathToFileURL(pathOf(name)).href + (options.hash ?? ''));
  // Its script unpacks the data first.
  if (name === 'site/index') await page.waitForSelector('#tabs a');
}

/** The lines that the page draws, as lists of numbers and gaps. */
const drawn = (panel: string) => page.evaluate((id) => reportPage.drawn(id), panel);

describe('a report with many user counts', () => {
  beforeEach(() => open('long'));

  test('opens from its file, loads nothing else and complains of nothing', async () => {
    await page.evaluate(() => {
      for (const { panel } of reportPage.figures()) reportPage.drawn(panel);
    });
    expect(watched.complaints).toEqual([]);
    expect(watched.requests).toEqual([pathToFileURL(pathOf('long')).href]);
    const embedded: ReportData = await page.$eval('#report-data', (element) => JSON.parse(element.textContent!));
    // The page does not tell twice of its trials.
    const cells = long.cells.map(({ messages, series: _, ...cell }) => {
      return { ...cell, series: expect.any(Array), reasons: reasonsOf(messages), notes: notesOf(messages) };
    });
    expect(embedded).toEqual({ ...JSON.parse(JSON.stringify(long)), cells });
  });

  test('every chart draws what the data holds, with gaps where it holds nothing', async () => {
    const cells = nameCells(long.cells);
    for (const figure of chartsOver('users')) {
      const { lines } = usersChart(figure, cells, { mode: 'optquill', tier: 'unknown' });
      expect(await drawn(figure.chart.id), figure.name).toEqual(
        lines.map(({ name, points }) => ({ name, points: points.map(({ x, value }) => ({ x, value })) })),
      );
    }
    for (const figure of chartsOver('time')) {
      const { lines } = timeChart(figure, cells, { mode: 'optquill', users: 16, tier: 'unknown' });
      expect(await drawn(`${figure.chart.id}-over-time`), figure.name).toEqual(
        lines.map(({ name, points }) => ({ name, points: points.map(({ x, value }) => ({ x, value })) })),
      );
    }
    const [yjs, , loro] = await drawn('server-cpu');
    // Not measured, and not valid: neither is 0.
    expect(yjs!.points.map(({ value }) => value === null)).toEqual([true, false, false]);
    expect(loro!.points.map(({ value }) => value === null)).toEqual([false, false, true]);
    expect(await page.$eval('#server-cpu canvas', (canvas) => canvas.getAttribute('aria-label'))).toContain(
      'No figures: loro, 16 users: not valid.',
    );
  });

  test('frameworks, mode, users and axis are switched by keyboard', async () => {
    const press = async (selector: string, key: 'Enter' | 'Space') => {
      await page.focus(selector);
      await page.keyboard.press(key);
      return page.$eval(selector, (button) => button.getAttribute('aria-pressed'));
    };
    const names = async () => (await drawn('user-cpu')).map(({ name }) => name);
    expect(await names()).toEqual(['yjs', 'sharedb', 'loro']);
    expect(await press('[data-line="sharedb"]', 'Space')).toBe('false');
    expect(await names()).toEqual(['yjs', 'loro']);
    expect(await press('[data-line="sharedb"]', 'Enter')).toBe('true');
    expect(await names()).toEqual(['yjs', 'sharedb', 'loro']);

    const before = await drawn('user-cpu');
    expect(await press('[aria-label="Mode"] button:nth-of-type(2)', 'Enter')).toBe('true');
    expect(await drawn('user-cpu')).not.toEqual(before);
    expect(await page.$eval('#user-cpu .hint', ({ textContent }) => textContent)).toContain('noquill');

    const lengths = await drawn('document-length-over-time');
    expect(await press('[aria-label="Users"] button:nth-of-type(1)', 'Enter')).toBe('true');
    expect(await drawn('document-length-over-time')).not.toEqual(lengths);

    // Of noquill figures lie less than a decade apart.
    expect(await press('#local-median .switch', 'Enter')).toBe('true');
    expect(await press('#local-median .switch', 'Enter')).toBe('false');
    expect(await press('#server-cpu .switch', 'Space')).toBe('true');
    expect(watched.complaints).toEqual([]);
  });

  test('the answer comes first, and a chart is copied as CSV and PNG', async () => {
    const order = await page.$$eval('#answer, #toolbar, #answer-panels, #verdicts', (all) => all.map(({ id }) => id));
    expect(order).toEqual(['answer', 'toolbar', 'answer-panels', 'verdicts']);
    const ranges = await drawn('key-to-screens');
    expect(ranges[0]).toEqual({
      name: 'yjs',
      points: [
        { x: 16, value: long.cells.find(({ name }) => name === 'yjs-optquill-16')!.figures['endToEndLatencyMs.p50'] },
      ],
    });
    await page.evaluate(() => {
      Object.defineProperty(navigator.clipboard, 'write', {
        value: async ([item]: ClipboardItem[]) => {
          const blob = await item!.getType(item!.types[0]!);
          document.title = `${blob.type} ${blob.size} ${blob.type === 'text/plain' ? await blob.text() : ''}`;
        },
      });
    });
    const copied = async (kind: string) => {
      await page.click(`#server-cpu [aria-label="Copy as ${kind}"]`);
      await page.waitForFunction((type) => document.title.includes(type), {}, kind === 'PNG' ? 'image/png' : 'line,at');
      return page.title();
    };
    expect(await copied('CSV')).toContain('yjs,8,2.48');
    expect(Number((await copied('PNG')).split(' ')[1])).toBeGreaterThan(5000);
    expect(watched.complaints).toEqual([]);
  });

  test('the table behind a chart holds its figures', async () => {
    await page.focus('#server-cpu summary');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#server-cpu table');
    const rows = await page.$$eval('#server-cpu tbody tr', (all) =>
      all.map((row) => [...row.children].map(({ textContent }) => textContent)),
    );
    // Synthetic server CPU: weight × users × 0.31, the interval 5 % to either side.
    expect(rows[0]).toEqual(['yjs', '–', '2.5 (2.4–2.6)', '5.0 (4.7–5.2)']);
    expect(rows[2]![3]).toBe('not valid');
  });
});

describe('a report with few user counts', () => {
  test('frameworks are rows, and user counts lie beside one another in them', async () => {
    await open('wide');
    const [yjs, , sharedb] = await drawn('local-median-deployed');
    const figures = (framework: string) =>
      [2, 4].map(
        (users) =>
          wide.cells.find(({ name }) => name === `${framework}-optquill-${users}`)!.figures['localLatencyMs.p50'],
      );
    expect(yjs!.points.map(({ value }) => value)).toEqual(figures('yjs'));
    expect(sharedb!.points.map(({ value }) => value)).toEqual(figures('sharedb'));
    expect(watched.complaints).toEqual([]);
  });

  test('each chart is one for each tier of servers, and says which', async () => {
    await open('wide');
    const of = async (panel: string) => (await drawn(panel)).map(({ name }) => name);
    expect(await of('server-cpu-library')).toEqual(['automerge', 'collabs', 'collabs-novc', 'loro', 'yjs-relay']);
    expect(await of('server-cpu-deployed')).toEqual(['yjs', 'yjs-hocuspocus', 'sharedb', 'automerge-repo']);
    const heading = await page.$eval('#server-cpu-library h3', ({ textContent }) => textContent);
    expect(heading).toBe('Server CPU, % of a core: over the same relay');
    const files = await page.evaluate(() => reportPage.figures().map(({ name }) => name));
    expect(files).toContain('local-median-over-time-library-optquill-4');
  });

  test.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['phone', { width: 390 }],
  ] as const)('nothing reaches beyond the page: %s', async (name, options) => {
    // So high that the first charts are in view, and drawn.
    await open('wide', { ...options, height: 3000 });
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    expect(scroll).toBeLessThanOrEqual(client);
    await page.screenshot({ path: join(FOLDER, `${name}.png`) as `${string}.png` });
    expect(watched.complaints).toEqual([]);
  });

  test('on paper the charts are drawn whole, and light', async () => {
    await open('wide', { dark: true });
    const pdf = await page.pdf({ path: join(FOLDER, 'paper.pdf'), format: 'a4', printBackground: true });
    expect(Buffer.from(pdf.slice(0, 5)).toString()).toBe('%PDF-');
    expect(watched.complaints).toEqual([]);
  });
});

describe('a report of two cells', () => {
  const visible = () => page.$$eval('.panel:not([hidden])', (all) => all.map(({ id }) => id));
  beforeAll(() =>
    renderReportHtml(
      syntheticReport({ ...grid, modes: ['optquill'], frameworks: ['yjs', 'loro'], userCounts: [4] }),
    ).then((html) => writeFile(pathOf('pair'), html)),
  );

  test('shows its answer and the two charts in which the cells differ most, or all of them', async () => {
    await open('pair');
    const few = await visible();
    expect(few).toHaveLength(3);
    expect(few[0]).toBe('key-to-screens');
    expect(await page.$eval('#figures-charts-title', (title) => title.checkVisibility())).toBe(false);
    await page.click('[aria-label="Charts"] button:nth-of-type(2)');
    expect((await visible()).length).toBeGreaterThan(chartsOver('users').length);
    expect(await page.$eval('#figures-charts-title', (title) => title.checkVisibility())).toBe(true);
    expect(watched.complaints).toEqual([]);
  });
});

describe('the results site', () => {
  /** The names in the table, once an address that was asked for is shown. */
  const shown = () =>
    expect.poll(() =>
      page.$$eval('#rows tbody th[scope="row"] a', (all) => [...new Set(all.map((each) => each.textContent!.trim()))]),
    );
  /** Does what changes the address, and waits until the page has drawn anew: until then its links lead on from the address before. */
  const drawnAfter = async (act: () => Promise<unknown>) => {
    const drawn = page.evaluate(() => new Promise<void>((draw) => addEventListener('hashchange', () => draw())));
    await act();
    await drawn;
  };
  const press = (selector: string) =>
    drawnAfter(async () => {
      await page.focus(selector);
      await page.keyboard.press('Enter');
    });

  test('opens from its file, loads nothing else, and every state has an address', async () => {
    const start = '#run=2026-11-23T0025-compare';
    await open('site/index', { height: 2000, hash: start });
    await shown().toContain('yjs-hocuspocus');
    await press('[data-key="who loro"]');
    await shown().toEqual(['loro']);
    await press('[data-key="who yjs"]');
    await drawnAfter(() => page.select('[data-filter="users"]', '8'));
    await press('[data-key="sort endToEndLatencyMs.p95"]');
    await shown().toEqual(['loro', 'yjs']);
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.key)).toContain('sort');
    await press('#rows tbody a[aria-expanded]');
    const opened = await page.waitForSelector('.more');
    expect(await opened!.evaluate((row) => row.textContent)).toContain(
      './scriptorium run harness/experiments/compare.yaml --frameworks loro --modes noquill --users 8',
    );
    const hash = await page.evaluate(() => location.hash);
    await page.goBack();
    await page.waitForSelector('.more', { hidden: true });
    expect(watched).toEqual({ complaints: [], requests: [pathToFileURL(pathOf('site/index')).href + start] });
    await open('site/index', { hash });
    await shown().toEqual(['loro', 'yjs']);
    expect(await page.$('.more')).not.toBeNull();
  });

  test.each([
    ['light', 'versions', {}],
    ['dark', 'documents', { dark: true }],
    ['phone', 'typing', { width: 390 }],
  ] as const)('nothing reaches beyond the page: %s, %s', async (name, tab, options) => {
    await open('site/index', { ...options, height: 2500, hash: `#tab=${tab}` });
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    expect(scroll).toBeLessThanOrEqual(client);
    await page.screenshot({ path: join(FOLDER, `site-${name}.png`) as `${string}.png` });
    expect(watched.complaints).toEqual([]);
  });
});

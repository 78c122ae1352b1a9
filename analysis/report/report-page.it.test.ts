/** Pages opened from their files in real Chrome: reports and the site. Pictures of them stay in `out/report-test/`, for people to look at. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nameCells, timeChart, usersChart } from '../charts/chart-model.ts';
import { chartsOver } from '../figures/catalogue.ts';
import { QUESTIONS, REST } from '../page/questions.ts';
import { reportPage as reportText } from '../page/report-page.ts';
import type { Tier } from '../scenarios/cell.ts';
import { writeSite } from '../site/write-site.ts';
import { copiedChart, linesIn, takeCopies } from '../test-data/copied-chart.ts';
import { launchHeadlessChrome } from '../test-data/headless-chrome.ts';
import { SITE_SURROUNDINGS } from '../test-data/site-surroundings.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { readPageFiles } from './bundle.ts';
import type { TypingReport } from './report-data.ts';
import { reportedOf } from './typing-report.ts';

const FOLDER = resolve(import.meta.dirname, '../../out/report-test');
const grid = { modes: ['optquill', 'noquill'], trials: 3, seconds: 90 };
/** As compare.yaml: many frameworks of two tiers, few user counts. */
const tiers: Record<string, Tier> = {
  ...{ automerge: 'library', collabs: 'library', 'collabs-novc': 'library', loro: 'library', 'yjs-relay': 'library' },
  ...{ yjs: 'deployed', 'yjs-hocuspocus': 'deployed', sharedb: 'deployed', 'automerge-repo': 'deployed' },
};
const wide = syntheticReport({ ...grid, frameworks: Object.keys(tiers), userCounts: [2, 4], tiers });
const long = syntheticReport({ ...grid, frameworks: ['yjs', 'sharedb', 'loro'], userCounts: [4, 8, 16] });
long.cells[0] = { ...long.cells[0]!, figures: { ...long.cells[0]!.figures, serverCpuPercent: null } };
const pair = syntheticReport({ ...grid, modes: ['optquill'], frameworks: ['yjs', 'loro'], userCounts: [4] });

const figureOf = (data: TypingReport, cell: string, figure: string) =>
  data.cells.find(({ name }) => name === cell)!.figures[figure];

let browser: Browser;
let page: Page;
let watched: ReturnType<typeof watchPage>;

const pathOf = (name: string) => join(FOLDER, `${name}.html`);

beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true });
  browser = await launchHeadlessChrome();
  const files = await readPageFiles();
  for (const [name, data] of Object.entries<TypingReport>({ wide, long, pair }))
    await writeFile(pathOf(name), reportText(reportedOf(data), files));
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
  await takeCopies(page);
  await page.setViewport({ width: options.width ?? 1280, height: options.height ?? 900 });
  const value = options.dark === true ? 'dark' : 'light';
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
  await page.goto(pathToFileURL(pathOf(name)).href + (options.hash ?? ''));
  // The site's script unpacks the data first.
  await page.waitForSelector('#rows table');
}

/** Does what changes the address, and waits until the page has drawn anew: until then its links lead on from the address before. */
async function drawnAfter(act: () => Promise<unknown>): Promise<void> {
  const drawn = page.evaluate(() => new Promise<void>((draw) => addEventListener('hashchange', () => draw())));
  await act();
  await drawn;
}

const press = (key: string) =>
  drawnAfter(async () => {
    await page.focus(`[data-key="${key}"]`);
    await page.keyboard.press('Enter');
  });
const ask = (hash: string) =>
  drawnAfter(() =>
    page.evaluate((asked) => {
      location.hash = asked;
    }, hash),
  );
const copyOf = (panel: string, kind: 'CSV' | 'PNG') => copiedChart(page, panel, kind);
const drawn = async (panel: string) => linesIn(await copyOf(panel, 'CSV'));
const visible = () => page.$$eval('.panel:not([hidden])', (all) => all.map(({ id }) => id));

describe('a report with many user counts', () => {
  beforeEach(() => open('long'));

  test('opens from its file, loads nothing else and complains of nothing, whatever is asked', async () => {
    for (const { id } of [...QUESTIONS.filter(({ kind }) => kind === 'typing'), REST]) {
      await ask(`question=${id}&mode=noquill`);
      for (const panel of await visible()) {
        await page.$eval(`#${panel}`, (element) => element.scrollIntoView());
        const plot = await page.waitForSelector(`#${panel} .plot svg`);
        expect(await plot!.evaluate((svg) => svg.innerHTML)).not.toMatch(/NaN|undefined/);
      }
    }
    expect(watched).toEqual({ complaints: [], requests: [pathToFileURL(pathOf('long')).href] });
  });

  test('every chart draws what the data holds, with gaps where it holds nothing', async () => {
    const cells = nameCells(long.cells);
    const charts = new Set([...chartsOver('users'), ...chartsOver('time')]);
    for (const { id, columns } of QUESTIONS) {
      const figures = [...charts].filter(({ name }) => columns.some((column) => column.name === name));
      if (figures.length === 0) continue;
      await ask(`question=${id}&mode=optquill`);
      for (const figure of figures) {
        charts.delete(figure);
        const { chart } = figure;
        const of = { mode: 'optquill', tier: 'unknown' } as const;
        for (const axis of chart.over) {
          const model =
            axis === 'users' ? usersChart(figure, cells, of) : timeChart(figure, cells, { ...of, users: 16 });
          expect(await drawn(axis === 'users' ? chart.id : `${chart.id}-over-time`), figure.name).toEqual(
            model.lines.flatMap(({ name, points }) =>
              points.length === 0 ? [] : [{ name, points: points.map(({ x, value }) => ({ x, value })) }],
            ),
          );
        }
      }
    }
    expect([...charts]).toEqual([]);
    await ask('question=server');
    const [yjs, , loro] = await drawn('server-cpu');
    // Not measured, and not valid: neither is 0.
    expect(yjs!.points.map(({ value }) => value === null)).toEqual([true, false, false]);
    expect(loro!.points.map(({ value }) => value === null)).toEqual([false, false, true]);
    expect(await page.$eval('#server-cpu .plot', (plot) => plot.getAttribute('aria-label'))).toContain(
      'No figures: loro, 16 users: not valid.',
    );
  });

  test('frameworks, mode, users, question and axis are chosen by keyboard, and the address holds the choice', async () => {
    const links = '#questions a';
    const keys = await page.$$eval(links, (all) => (all as HTMLElement[]).map(({ dataset }) => dataset.key!));
    await press(keys.find((key) => key.includes('device'))!);
    const names = async () => (await drawn('user-cpu')).map(({ name }) => name);
    expect(await names()).toEqual(['yjs', 'sharedb', 'loro']);
    await press('who yjs');
    await press('who loro');
    expect(await names()).toEqual(['yjs', 'loro']);
    const before = await drawn('user-cpu');
    await drawnAfter(() => page.select('[data-filter="mode"]', 'noquill'));
    expect(await drawn('user-cpu')).not.toEqual(before);
    expect(await page.$eval('#user-cpu .hint', ({ textContent }) => textContent)).toContain('noquill');
    await drawnAfter(() => page.select('[data-filter="users"]', '4'));
    expect(await visible()).toContain('user-cpu-over-time');
    expect(await visible()).not.toContain('user-cpu');

    await page.focus('#user-cpu-over-time .switch');
    await page.keyboard.press('Space');
    expect(await page.$eval('#user-cpu-over-time .switch', (button) => button.getAttribute('aria-pressed'))).toBe(
      'true',
    );
    const hash = await page.evaluate(() => location.hash);
    for (const choice of ['question=device', 'who=yjs%2Cloro', 'mode=noquill', 'users=4'])
      expect(hash).toContain(choice);
    expect(watched.complaints).toEqual([]);
  });

  test('a chart has an address', async () => {
    await open('long', { hash: '#question=server&chart=server-cpu' });
    expect(await visible()).toContain('server-cpu');
    // A place in the page asks for nothing.
    await page.click('nav [href="#cells"]');
    expect(await visible()).toContain('server-cpu');
    expect(watched.complaints).toEqual([]);
  });

  test('a chart is copied as CSV and PNG', async () => {
    await ask('question=server');
    expect(await copyOf('server-cpu', 'CSV')).toContain('yjs,8,2.48');
    // The legend stands beside the plot.
    expect(await copyOf('server-cpu', 'PNG')).toBe(String(2 * 720));
    expect(watched.complaints).toEqual([]);
  });

  test('the mouse is told the figures of all lines at its place', async () => {
    await ask('question=server');
    await page.waitForSelector('#server-cpu .plot svg');
    const { x, y, width } = (await (await page.$('#server-cpu .plot'))!.boundingBox())!;
    await page.mouse.move(x + width - 30, y + 60);
    const told = await page.$$eval('.tip > *', (all) => all.map(({ textContent }) => textContent!.trim()));
    expect(told).toEqual(['16 users', expect.stringMatching(/^yjs: 5\.0 /), expect.stringMatching(/^sharedb: 9\.9 /)]);
    expect(await page.$$('.at-mouse circle')).toHaveLength(2);
    await page.mouse.move(0, 0);
    expect(await page.$$('.tip, .at-mouse circle')).toEqual([]);
  });

  test('the table behind a chart holds its figures', async () => {
    await ask('question=server');
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

  test('without its script, and on paper, it has a table for each question', async () => {
    const tables = () => page.$$eval('#tables table', (all) => all.filter((table) => table.checkVisibility()).length);
    const { length } = await page.$$('#questions a');
    expect(await tables()).toBe(0);
    await page.emulateMediaType('print');
    expect(await tables()).toBe(length);
    const pdf = await page.pdf({ path: join(FOLDER, 'paper.pdf'), format: 'a4', printBackground: true });
    expect(Buffer.from(pdf.slice(0, 5)).toString()).toBe('%PDF-');
    expect(watched.complaints).toEqual([]);
    await page.emulateMediaType('screen');
    await page.setJavaScriptEnabled(false);
    await page.reload();
    expect(await tables()).toBe(length);
    expect(await page.$$('#chart-panels .panel')).toEqual([]);
  });
});

describe('a report with few user counts', () => {
  test('each chart is one for each tier of servers, and says which', async () => {
    await open('wide', { hash: '#question=others' });
    const of = async (panel: string) => (await drawn(panel)).map(({ name }) => name);
    expect(await visible()).toContain('key-to-screens-library');
    expect(await of('end-to-end-median-over-time-library')).toEqual([
      ...['automerge', 'collabs', 'collabs-novc', 'loro', 'yjs-relay'],
    ]);
    const heading = await page.$eval('#key-to-screens-library h3', ({ textContent }) => textContent);
    expect(heading).toBe('End-to-end latency, ms: over the same relay');
    expect(watched.complaints).toEqual([]);
  });

  test.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['phone', { width: 390 }],
  ] as const)('nothing reaches beyond the page: %s', async (name, options) => {
    // So high that the first charts are in view, and drawn.
    await open('wide', { ...options, height: 3000 });
    await expectNothingBeyond();
    await page.screenshot({ path: join(FOLDER, `${name}.png`) as `${string}.png` });
    expect(watched.complaints).toEqual([]);
  });
});

async function expectNothingBeyond(): Promise<void> {
  const { scroll, client } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth,
  }));
  expect(scroll).toBeLessThanOrEqual(client);
}

test('a report of two cells shows three charts, all of what is asked', async () => {
  await open('pair');
  expect(await visible()).toEqual(['key-to-screens', 'end-to-end-median-over-time', 'end-to-end-p95-over-time']);
  expect((await drawn('key-to-screens'))[0]).toEqual({
    name: 'yjs',
    points: [{ x: 4, value: figureOf(pair, 'yjs-optquill-4', 'endToEndLatencyMs.p50') }],
  });
  await ask('question=device&sort=userMemoryMiB');
  expect(await visible()).toEqual(['device-rows', 'user-cpu-over-time']);
  expect(watched.complaints).toEqual([]);
});

describe('the results site', () => {
  /** The names in the table, once an address that was asked for is shown. */
  const shown = () =>
    expect.poll(() =>
      page.$$eval('#rows tbody th[scope="row"] a', (all) => [...new Set(all.map((each) => each.textContent!.trim()))]),
    );

  test('opens from its file, loads nothing else, and every state has an address', async () => {
    const start = '#run=2026-11-23T0025-compare';
    await open('site/index', { height: 2000, hash: start });
    await shown().toContain('yjs-hocuspocus');
    await press('who loro');
    await shown().toEqual(['loro']);
    await press('who yjs');
    await drawnAfter(() => page.select('[data-filter="users"]', '8'));
    await press('sort endToEndLatencyMs.p95');
    await shown().toEqual(['loro', 'yjs']);
    expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset.key)).toContain('sort');
    await drawnAfter(() => page.click('#rows tbody a[aria-expanded]'));
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
    await expectNothingBeyond();
    await page.screenshot({ path: join(FOLDER, `site-${name}.png`) as `${string}.png` });
    expect(watched.complaints).toEqual([]);
  });
});

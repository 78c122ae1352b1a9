import { describe, expect, test } from 'vitest';
import { aboutCell, notesOf, reasonsOf } from '../../cell/messages.ts';
import { PAPER_GRID, syntheticReport } from '../../test-data/synthetic-report.ts';
import type { ReportData } from '../report-data.ts';
import { renderReportHtml } from './render.ts';

/** The size at which a full paper grid can still be sent by mail. */
const MAX_BYTES = 3_000_000;

const small = syntheticReport({
  frameworks: ['yjs', 'sharedb'],
  modes: ['optquill'],
  userCounts: [2, 4, 8],
  trials: 2,
  seconds: 40,
});

const textOf = (page: string, id: string) =>
  page
    .match(new RegExp(`<(?:section|details)[^>]*id="${id}"[\\s\\S]*?</(?:section|details)>`))![0]
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

describe('renderReportHtml', () => {
  test('the same data gives the same page, with the data in it', async () => {
    const page = await renderReportHtml(small);
    expect(await renderReportHtml(structuredClone(small))).toBe(page);
    const embedded = page.match(/<script type="application\/json" id="report-data">(.*?)<\/script>/s)![1]!;
    const cells = small.cells.map(({ messages, series: _, ...cell }) => {
      return { ...cell, series: expect.any(Array), reasons: reasonsOf(messages), notes: notesOf(messages) };
    });
    expect(JSON.parse(embedded)).toEqual({ ...small, cells });
  });

  test('the tiers of servers stand apart', async () => {
    const tiers = { yjs: 'deployed', loro: 'library' } as const;
    const data = syntheticReport({
      ...{ frameworks: Object.keys(tiers), modes: ['optquill'], userCounts: [2], trials: 3, seconds: 90, tiers },
    });
    const page = await renderReportHtml(data);
    expect(textOf(page, 'figures')).toMatch(/over the same relay loro .* with their own servers yjs /);
    expect(textOf(page, 'verdicts')).toMatch(/optquill, over the same relay framework .* loro .* yjs /);
    expect(textOf(await renderReportHtml(small), 'figures')).not.toMatch(/tier|relay/);
  });

  test('it names nothing to load', async () => {
    const page = await renderReportHtml(small);
    const markup = page.replace(/<script[\s\S]*?<\/script>/g, '');
    expect([...markup.matchAll(/\b(?:src|href|action|data)="([^"]*)"/g)].map(([, target]) => target)).toEqual(
      expect.arrayContaining(['data:,']),
    );
    expect(markup).not.toMatch(/(?:src=|@import|url\()/);
    expect(markup).toContain('default-src &#39;none&#39;');
  });

  test('a cell without a valid trial has its reason and no figure', async () => {
    const page = await renderReportHtml(small);
    expect(textOf(page, 'verdicts')).toMatch(/sharedb .* 4 8: trials 1, 2, and 3: the replicas did not agree/);
    const cell = textOf(page, 'cell-1-sharedb-optquill-8');
    expect(cell).toMatch(/sharedb 1\.2\.3 optquill, 8 users invalid Reasons/);
    expect(cell).toContain('the replicas did not agree within the settle time');
    expect(cell).not.toContain('95 % interval');
  });

  test('the answer and its chart stand before all else; objects in lists are told by their properties; words have entries', async () => {
    const data = structuredClone(small);
    data.runs[0]!.plan.network = { groups: [{ name: 'far', link: { oneWayDelayMs: 40 } }] };
    const page = await renderReportHtml(data);
    expect(textOf(page, 'answer')).toMatch(/With 8 users yjs is smooth; sharedb is not judged\. It took yjs \d+ ms/);
    expect(page.indexOf('id="answer-panels"')).toBeLessThan(page.indexOf('id="verdicts"'));
    expect(textOf(page, 'runs')).toContain('network.groups[0].link.oneWayDelayMs 40');
    expect(textOf(page, 'runs')).not.toContain('[object Object]');
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...page.matchAll(/class="word" href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(4);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('what was not measured is a dash, and an interval of two trials is none', async () => {
    const data = structuredClone(small);
    const [first] = data.cells;
    first!.figures = { ...first!.figures, serverCpuPercent: null, userCpuPercent: 0 };
    const cell = textOf(await renderReportHtml(data), 'cell-1-yjs-optquill-2');
    expect(cell).toMatch(/Server CPU, % of a core – too few trials/);
    expect(cell).toMatch(/User CPU, % of a core 0 too few trials/);
  });

  test('names, reasons and problems are text, whatever they hold', async () => {
    const data: ReportData = structuredClone(small);
    const evil = '<img src=x onerror=alert(1)>';
    data.runs[0]!.experiment = evil;
    data.cells[0]!.messages = [aboutCell('evil', 'decides', evil)];
    data.problems = [evil, '</script><script>alert(2)</script>'];
    const page = await renderReportHtml(data);
    expect(page).not.toContain(evil);
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(textOf(page, 'verdicts')).toContain('2 things left out or noted &lt;img');
  });

  test('published numbers stand apart, with their source', async () => {
    const published: ReportData['published'] = {
      schemaVersion: 1,
      title: 'A study',
      authors: ['A. Author'],
      year: 2001,
      url: 'https://example.org/study',
      source: 'section 1',
      conditions: [],
      tables: [
        {
          name: 'Table 1',
          title: 'max users',
          users: null,
          columns: [{ name: 'max', unit: 'users' }],
          rows: [{ framework: 'Yjs', here: 'yjs', figures: [96] }],
          notes: [],
        },
      ],
      missing: ['Table 2'],
    };
    expect(await renderReportHtml(small)).not.toContain('id="published"');
    const section = textOf(await renderReportHtml({ ...small, published }), 'published');
    expect(section).toContain('None of these numbers were measured in the runs above');
    expect(section).toMatch(/Yjs 96/);
  });

  test('a run without cells says so', async () => {
    const page = await renderReportHtml({ ...small, cells: [], problems: ['nothing is whole'] });
    expect(page).toContain('No trial has run yet.');
    expect(page).toContain('nothing is whole');
    expect(page).not.toContain('id="charts"');
  });

  test('a full paper grid weighs less than 3 MB', async () => {
    const page = await renderReportHtml(syntheticReport(PAPER_GRID));
    expect(Buffer.byteLength(page)).toBeLessThan(MAX_BYTES);
  });
});

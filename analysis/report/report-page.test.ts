import { beforeAll, describe, expect, test } from 'vitest';
import { aboutCell } from '../cell/messages.ts';
import type { PageData } from '../page/page-data.ts';
import { reportPage } from '../page/report-page.ts';
import type { PageFiles } from '../page/shell.ts';
import { PAPER_GRID, syntheticReport } from '../test-data/synthetic-report.ts';
import { readPageFiles } from './bundle.ts';
import type { TypingReport } from './report-data.ts';
import { reportedOf } from './typing-report.ts';

/** The size at which a full paper grid can still be sent by mail. */
const MAX_BYTES = 3_000_000;

const small = syntheticReport({
  frameworks: ['yjs', 'sharedb'],
  modes: ['optquill'],
  userCounts: [2, 4, 8],
  trials: 3,
  seconds: 40,
});

let files: PageFiles;
beforeAll(async () => {
  files = await readPageFiles('');
});

const render = (data: TypingReport) => reportPage(reportedOf(data), files);
const embeddedIn = (page: string): PageData =>
  JSON.parse(page.match(/<script type="application\/json" id="report-data">(.*?)<\/script>/s)![1]!);

const textOf = (page: string, id: string) =>
  page
    .match(new RegExp(`<(?:section|details)[^>]*id="${id}"[\\s\\S]*?</(?:section|details)>`))![0]
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

describe('a report as a page', () => {
  test('the same data gives the same page, with its cells as rows in it', () => {
    const page = render(small);
    expect(render(structuredClone(small))).toBe(page);
    const rows = embeddedIn(page).rows.filter(({ kind }) => kind === 'typing');
    expect(rows.map(({ name, validTrials }) => [name, validTrials])).toEqual(
      small.cells.map(({ name, validTrials }) => [name, validTrials]),
    );
    expect(rows[0]!.figures).toMatchObject(small.cells[0]!.figures);
    const name = 'endToEndLatencyMs.p50';
    expect(rows[0]!.series.map(({ figures }) => figures[name])).toEqual(
      small.cells[0]!.series.map(({ figures }) => figures[name]),
    );
  });

  test('it reads without a script: a table for each question, with every cell and its intervals', () => {
    const page = render(small);
    const readable = page.replace(/<script[\s\S]*?<\/script>/g, '');
    const { questions } = embeddedIn(page);
    expect(questions.length).toBeGreaterThan(4);
    const tables = readable.match(/<div id="tables">[\s\S]*?<\/div>\s*<p class="note">/)![0];
    expect(tables).not.toMatch(/<[^>]* hidden[ >]|<svg|aria-expanded/);
    const parts = tables.split('<h3>').slice(1);
    expect(parts.map((part) => part.split('</h3>')[0])).toEqual(questions.map(({ title }) => title));
    expect(parts.map((part) => part.match(/<th scope="row">/g)!.length)).toEqual([
      2,
      ...questions.slice(1).map(() => 6),
    ]);
    // Synthetic server CPU: weight × users × 0.31, the interval 5 % to either side.
    expect(tables).toContain('>2.5 (2.4–2.6)');
    expect(readable.match(/<details class="cell"/g)).toHaveLength(small.cells.length);
  });

  test('a run with a store is asked what that costs, and shows its cells without; no other run is', () => {
    const title = 'What does it cost to keep documents?';
    const [first] = small.cells;
    const stored = {
      ...first!,
      name: 'stored',
      parameters: { ...first!.parameters, mode: 'optquill+sqlite' },
      figures: { ...first!.figures, writtenBytesPerCharacter: 41.5 },
    };
    const page = render({ ...small, cells: [...small.cells, stored] });
    const asked = embeddedIn(page).questions.filter(({ asksOf }) => asksOf !== undefined);
    expect(asked.map((question) => [question.title, question.tab])).toEqual([[title, 'typing']]);
    const table = page.split(`<h3>${title}</h3>`)[1]!.split('<h3>')[0]!;
    expect(table.match(/<th scope="row">/g)).toHaveLength(small.cells.length + 1);
    expect(table).toContain('>41.5');
    expect(page).toContain('What a store costs');
    expect(page.match(/Write amplification/g)).toHaveLength(1);
    expect(render(small)).not.toMatch(/What a store costs|\+sqlite|Write amplification/);
  });

  test('the tiers of servers stand apart', () => {
    const tiers = { yjs: 'deployed', loro: 'library' } as const;
    const data = syntheticReport({
      ...{ frameworks: Object.keys(tiers), modes: ['optquill'], userCounts: [2], trials: 3, seconds: 90, tiers },
    });
    const page = render(data);
    expect(textOf(page, 'figures')).toMatch(/over the same relay loro .* with their own servers yjs /);
    expect(textOf(page, 'figures')).toMatch(/How many users does it carry\? .* over the same relay loro .* yjs /);
    expect(textOf(render(small), 'figures')).not.toMatch(/tier|relay/);
  });

  test('of a wide table the first columns are those in which rows differ, and what all share is a sentence', () => {
    const rest = textOf(render(small), 'figures').split('What else was measured?')[1]!;
    expect(rest).toMatch(/^ all: .*sigils broken 1\.0° %/);
    expect(rest).toMatch(/framework users verdict age of others’ text, 95th percentile ms/);
  });

  test('it names nothing to load', () => {
    const page = render(small);
    const markup = page.replace(/<script[\s\S]*?<\/script>/g, '');
    const loaded = /<link\b[^>]*?\bhref="([^"]*)"|\s(?:src|action|data)="([^"]*)"/g;
    expect([...markup.matchAll(loaded)].map(([, link, other]) => link ?? other)).toEqual(['data:,']);
    expect(markup).not.toMatch(/(?:src=|@import|url\()/);
    expect(markup).toContain('default-src &#39;none&#39;');
  });

  test('a cell without a valid trial has its reason and no figure', () => {
    const page = render(small);
    const carried = textOf(page, 'figures').split('How soon do others see')[0];
    expect(carried).toMatch(/How many users does it carry\? .* yjs ✓ ≈ ≥ 8 /);
    expect(carried).toMatch(/sharedb ✓ ≈ ≥ 4 8 \?.* trials 1, 2, and 3: the replicas did not agree/);
    const cell = textOf(page, 'cell-1-sharedb-optquill-8');
    expect(cell).toMatch(/sharedb 1\.2\.3 optquill, 8 users invalid Reasons/);
    expect(cell).toContain('the replicas did not agree within the settle time');
    expect(cell).not.toContain('95 % interval');
    expect(cell).toContain('trial verdict CPU profiles reason 1 invalid');
  });

  test('the answer stands before all else; objects in lists are told by their properties; words have entries', () => {
    const data = structuredClone(small);
    data.runs[0]!.plan.network = { groups: [{ name: 'far', link: { oneWayDelayMs: 40 } }] };
    const page = render(data);
    expect(textOf(page, 'answer')).toMatch(/With 8 users yjs is smooth; sharedb is not judged\. It took yjs \d+ ms/);
    const order = ['answer', 'figures', 'cells', 'runs'].map((id) => page.indexOf(`<section id="${id}"`));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    expect(textOf(page, 'runs')).toContain('network.groups[0].link.oneWayDelayMs 40');
    expect(textOf(page, 'runs')).not.toContain('[object Object]');
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...page.matchAll(/class="word" href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(4);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('of several runs each has an answer of its own: their conditions may differ', () => {
    const { runs, cells } = small;
    const again = cells.map((cell) => ({ ...cell, run: 1 }));
    const { answer } = reportedOf({ ...small, runs: [...runs, ...runs], cells: [...cells, ...again] });
    const [first, second] = [1, 2].map((run) => answer.filter((sentence) => sentence.startsWith(`Run ${run}: With`)));
    expect(first!.length).toBeGreaterThan(0);
    expect(first!.length + second!.length).toBe(answer.length);
  });

  test('what was not measured is a dash, and an interval of two trials is none', () => {
    const data = syntheticReport({
      ...{ frameworks: ['yjs', 'sharedb'], modes: ['optquill'], userCounts: [2], trials: 2, seconds: 40 },
    });
    const [cell] = data.cells;
    data.cells[0] = { ...cell!, figures: { ...cell!.figures, serverCpuPercent: null, userCpuPercent: 0 } };
    const text = textOf(render(data), 'cell-1-yjs-optquill-2');
    expect(text).toMatch(/Server CPU, % of a core – too few trials/);
    expect(text).toMatch(/User CPU, % of a core 0 too few trials/);
  });

  test('names, reasons and problems are text, whatever they hold', () => {
    const data: TypingReport = structuredClone(small);
    const evil = '<img src=x onerror=alert(1)>';
    data.runs[0]!.experiment = evil;
    data.cells[0] = { ...data.cells[0]!, messages: [aboutCell('evil', 'decides', evil)] };
    data.problems = [evil, '</script><script>alert(2)</script>'];
    const page = render(data);
    expect(page).not.toContain(evil);
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(textOf(page, 'problems')).toContain('2 things left out or noted &lt;img');
  });

  test('published numbers stand apart, with their source', () => {
    const published: TypingReport['published'] = {
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
    expect(render(small)).not.toContain('id="published"');
    const section = textOf(render({ ...small, published }), 'published');
    expect(section).toContain('None of these numbers were measured in the runs above');
    expect(section).toMatch(/Yjs 96/);
  });

  test('a run without cells says so', () => {
    const page = render({ ...small, cells: [], problems: ['nothing is whole'] });
    expect(page).toContain('No trial has run yet.');
    expect(page).toContain('nothing is whole');
    expect(page).not.toContain('id="figures"');
  });

  test('a full paper grid weighs less than 3 MB', async () => {
    const page = reportPage(reportedOf(syntheticReport(PAPER_GRID)), await readPageFiles());
    expect(Buffer.byteLength(page)).toBeLessThan(MAX_BYTES);
  });
});

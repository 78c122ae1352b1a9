/** The data of the site: rows of every kind, and filters as links. */
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import { folderOfAllTests } from '../../tests/folders.ts';
import { analyseRun, summaryOf } from '../cell/analyse-run.ts';
import { readSummary } from '../cell/cell-json.ts';
import { reasonsOf } from '../cell/messages.ts';
import { questionLinks } from '../page/controls.ts';
import { packData } from '../page/packed-data.ts';
import { type PageData, type Row, TABS, type Tab } from '../page/page-data.ts';
import {
  FILTERS,
  hashWith,
  questionsOf,
  readChoices,
  tabsOf,
  usersOf,
  valueIn,
  valuesOf,
  viewOf,
  whoOf,
} from '../page/selection.ts';
import { writeHandMadeRun } from '../test-data/hand-made-run.ts';
import { SITE_SURROUNDINGS } from '../test-data/site-surroundings.ts';
import { collectSite } from './collect-site.ts';
import { type KeptRun, nameOf, writeKept } from './kept-file.ts';
import { keptNames, readKept } from './kept-runs.ts';
import { packRun } from './pack-run.ts';
import { poolCampaigns } from './pool-campaigns.ts';
import { writeSite } from './write-site.ts';

const MOST_BYTES = 1_000_000;

const folder = folderOfAllTests();
let data: PageData;
let sources: { name: string; kept: KeptRun; isSubmitted: boolean }[];
let compare: KeptRun;
beforeAll(async () => {
  const names = await keptNames();
  sources = await Promise.all(names.map(async (name) => ({ name, kept: await readKept(name), isSubmitted: false })));
  data = collectSite(sources, SITE_SURROUNDINGS);
  compare = await readKept('2026-11-23T0025-compare');
});

describe('rows', () => {
  test('every kept cell is one, with the figures of its summary', async () => {
    // A block may lack a cell that another has.
    const cells = poolCampaigns(sources).map(({ kept }) => kept.summary.cells.length);
    const counted = data.rows.filter(({ kind }) => !['faults', 'carried', 'costs'].includes(kind)).length;
    expect(counted).toBe(cells.reduce((sum, count) => sum + count, 0));
    const run = data.runs.findIndex(({ name }) => name === '2026-11-23T0025-compare');
    const isLoro8 = (each: Pick<Row, 'parameters'>) => whoOf(each) === 'loro' && usersOf(each) === 8;
    const row = data.rows.find((each) => each.run === run && isLoro8(each))!;
    const cell = compare.summary.cells.find(isLoro8)!;
    const name = 'endToEndLatencyMs.p50';
    expect(row.figures[name]).toBe(Number(cell.figures[name]!.toPrecision(4)));
    expect(row.ci95[name]).toEqual({ low: expect.any(Number), high: expect.any(Number) });
    expect(row.flags).toBe('--frameworks loro --modes noquill --users 8');
    expect(data.runs[run]).toMatchObject({ file: 'harness/experiments/compare.yaml', trace: 'synthetic' });
  });

  test('no command has a flag that `run` does not take: of stores there is none', () => {
    const flagsOf = (kind: string) => [
      ...new Set(data.rows.filter((row) => row.kind === kind).map(({ flags }) => flags.split(' ')[0])),
    ];
    expect(flagsOf('rest')).toEqual(['']);
    expect(flagsOf('join')).toEqual(['--frameworks']);
    expect([...flagsOf('replay'), ...flagsOf('state')]).toEqual(['--engines', '--engines']);
  });

  test('cells without a valid trial are rows without figures, with their reasons', () => {
    const failed = data.rows.filter(({ kind, validTrials }) => kind === 'typing' && validTrials === 0);
    expect(failed.length).toBeGreaterThan(0);
    for (const { messages, figures } of failed) {
      expect(reasonsOf(messages)).not.toEqual([]);
      expect(figures['endToEndLatencyMs.p50']).toBeUndefined();
    }
  });

  test('each tab but capabilities has rows for each of its questions', () => {
    for (const tab of Object.keys(TABS) as Tab[]) {
      for (const { id } of questionsOf(data, tab)) {
        expect(viewOf(data, { tab, question: id, run: 'all' }).rows.length, `${tab} ${id}`).toBeGreaterThan(1);
      }
    }
  });

  test('a tab that no run answers is not there', () => {
    expect(tabsOf(data)).toEqual(Object.keys(TABS));
    const typing = { ...data.rows.find(({ kind }) => kind === 'typing')!, figures: {} };
    const kept = data.rows.find(({ kind }) => kind === 'kept')!;
    const isThere = (row: Row) => tabsOf({ ...data, rows: [row] }).includes('backing');
    expect([typing, { ...typing, figures: { busiestServerCpuPercent: 40 } }, kept].map(isThere)).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('a run folder with records brings the trials’ own figures', async () => {
    const run = folder.in('run');
    const trials = [20, 30, 40].map((localMs) => ({ figures: { localMs, endToEndMs: 90, serverCpuPercent: 5 } }));
    await writeHandMadeRun(run, { trials, isAnalysed: true });
    await writeJson(join(run, SUMMARY_FILE), summaryOf(await analyseRun(run)));
    const { kept } = await packRun(run);
    const { rows } = collectSite([{ name: 'own', kept, isSubmitted: false }], SITE_SURROUNDINGS);
    expect(rows[0]!.replicates['localLatencyMs.p50']).toEqual([20, 30, 40]);
  });
});

describe('choices', () => {
  test('a tab begins with the run that compares most, and an address brings its state back', () => {
    const first = viewOf(data, readChoices(''));
    // Which of its two documents was measured last is no matter.
    expect(first.choices.run).toMatch(/-first-question-comparison-(young|long)$/);
    const hash = hashWith(first.choices, {
      run: '2026-11-23T0025-compare',
      who: 'yjs,loro',
      users: '8',
      sort: '-endToEndLatencyMs.p95',
    });
    const { rows } = viewOf(data, readChoices(hash));
    expect(rows.map((row) => [whoOf(row), usersOf(row)])).toEqual([
      ['loro', 8],
      ['yjs', 8],
    ]);
    expect(readChoices(hashWith(readChoices(hash), { users: null })).users).toBeUndefined();
  });

  test.each(FILTERS.map(({ name }) => name))('%s: a value that is offered leaves rows, and only its own', (name) => {
    const filter = FILTERS.find((each) => each.name === name)!;
    const tab = name === 'also' ? 'documents' : 'typing';
    const all = viewOf(data, { tab, run: 'all' });
    const values = valuesOf(filter, data, all);
    expect(values.length).toBeGreaterThan(1);
    for (const value of values) {
      const { rows } = viewOf(data, { tab, run: 'all', [name]: value });
      expect(rows.length, value).toBeGreaterThan(0);
      expect(new Set(rows.map((row) => filter.of(row, data)))).toEqual(new Set([value]));
      expect(valuesOf(filter, data, viewOf(data, { tab, run: 'all', [name]: value }))).toEqual(values);
    }
  });

  test('the best founded are chosen among those that the filters leave', () => {
    const asked = { question: 'carried', mode: 'all' };
    const [machine] = FILTERS.filter(({ name }) => name === 'machine');
    const machines = valuesOf(machine!, data, viewOf(data, asked));
    expect(machines.length).toBeGreaterThan(1);
    for (const chosen of machines) {
      const namesIn = (choices: object) => {
        const { rows } = viewOf(data, { ...asked, machine: chosen, ...choices });
        return [...new Set(rows.map(whoOf))].sort();
      };
      expect(namesIn({}), chosen).toEqual(namesIn({ run: 'all' }));
    }
  });

  test('each question leads to rows from every other of its tab', () => {
    for (const tab of tabsOf(data)) {
      for (const { id } of questionsOf(data, tab)) {
        const links = String(questionLinks(viewOf(data, { tab, question: id }), data).text);
        const addresses = [...links.matchAll(/href="(#[^"]*)"/g)].map(([, hash]) => hash!.replaceAll('&amp;', '&'));
        for (const hash of addresses) expect(viewOf(data, readChoices(hash)).rows.length, hash).toBeGreaterThan(0);
      }
    }
  });

  test('only valid rows, either order, and rows without the figure last', () => {
    const asked = { run: 'all', sort: 'endToEndLatencyMs.p95' };
    const values = (choices: Record<string, string>) =>
      viewOf(data, choices).rows.map((row) => valueIn(row, 'endToEndLatencyMs.p95'));
    const up = values(asked);
    const known = up.filter((value) => value !== null);
    expect(up.slice(0, known.length)).toEqual(known.toSorted((a, b) => a - b));
    expect(up.length).toBeGreaterThan(known.length);
    expect(values({ ...asked, sort: '-endToEndLatencyMs.p95' })[0]).toBe(Math.max(...known));
    expect(viewOf(data, { ...asked, valid: 'only' }).rows.every(({ validTrials }) => validTrials > 0)).toBe(true);
  });

  test('choices that the data does not know leave no row, and a tab that is none is the first', () => {
    expect(viewOf(data, { tab: 'nonsense' }).tab).toBe('typing');
    expect(viewOf(data, { who: 'nobody' }).rows).toEqual([]);
  });
});

describe('the site as files', () => {
  test('all that is kept today weighs less than 1 MB, and the same runs give the same bytes', async () => {
    const outDirectory = folder.in('one');
    const written = await writeSite({ ...SITE_SURROUNDINGS, directories: [], outDirectory, script: '' });
    const page = await readFile(written.path, 'utf8');
    expect(Buffer.byteLength(page)).toBeLessThan(MOST_BYTES);
    expect(written.runs).toBe(data.runs.length);
    expect(page).toContain('How to read this, and how to be misled');
    const runs = await readdir(folder.in('one/runs'));
    expect(runs).toContain('2026-11-23T0025-compare.json.gz');
    expect((await stat(folder.in('one/runs/2026-11-23T0025-compare/plan.json'))).isFile()).toBe(true);
    const embedded = page.match(/id="report-data">(.*?)<\/script>/s)![1]!;
    // Read and collected once more, as each page's are.
    expect(JSON.parse(embedded) === (await packData(data))).toBe(true);
  });

  const submitted = async (change: object) => {
    const cells = compare.written.cells.filter(({ trials }) => trials >= 3);
    const written = { ...compare.written, cells, ...change } as KeptRun['written'];
    const kept = { ...compare, written, summary: readSummary(written) };
    const directory = await mkdtemp(folder.in('submitted-'));
    await writeKept(join(directory, `${nameOf(kept)}.json.gz`), kept);
    return directory;
  };

  test('a submitted run stands beside the project’s own, in a folder of its own', async () => {
    const directory = await submitted({ startedAt: '2026-01-01T10:00:00.000Z' });
    const outDirectory = folder.in('with');
    await writeSite({ ...SITE_SURROUNDINGS, directories: [directory], outDirectory, script: '' });
    expect(await readdir(join(outDirectory, 'runs/submitted'))).toEqual([
      '2026-01-01T1000-compare',
      '2026-01-01T1000-compare.json.gz',
    ]);
    const again = { ...SITE_SURROUNDINGS, directories: [directory, directory], outDirectory, script: '' };
    await expect(writeSite(again)).rejects.toThrow('two runs named submitted/2026-01-01T1000-compare');
  });

  test('a submitted run whose name is taken is refused', async () => {
    const directory = await submitted({});
    const options = { ...SITE_SURROUNDINGS, directories: [directory], outDirectory: folder.in('taken'), script: '' };
    await expect(writeSite(options)).rejects.toThrow('the project has a run named 2026-11-23T0025-compare');
  });

  test('a folder without a run is refused', async () => {
    const options = { ...SITE_SURROUNDINGS, directories: [folder.in('none')], outDirectory: folder.path, script: '' };
    await expect(writeSite(options)).rejects.toThrow(/holds no run/);
  });
});

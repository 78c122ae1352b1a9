/** A run becomes the tables of the documents without a hand: kept, found again, written. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Tier } from '../../analysis/cell/tiers.ts';
import { writeHandMadeRun } from '../../analysis/test-data/hand-made-run.ts';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import type { Mode } from '../../frameworks/modes.ts';
import { AGAINST_FILE, PLAN_FILE, type PlanFile, SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import { SUMMARY_SCHEMA_VERSION, type Summary } from '../../results/formats/summary.ts';
import { writeJson } from '../../results/formats/write-file.ts';
import {
  CHARTS,
  chartFile,
  chartTiers,
  comparedModes,
  comparisonInFull,
  comparisonInShort,
  conditionsOf,
  imageFile,
} from './comparison.ts';
import { falseWordsMarkdown } from './false-words.ts';
import { keepMeasured, keepWords, newestMeasured, newestWords } from './measured.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'comparison-'));
});
afterEach(() => rm(folder, { recursive: true }));

const tiers: Record<string, Tier> = {
  'yjs-hocuspocus': 'deployed',
  'yjs-relay': 'library',
  'automerge-repo': 'deployed',
};

async function writeRun(startedAt: string, cells = cellsOf(3)): Promise<string> {
  const directory = join(folder, startedAt);
  const durations = { warmUpMs: 5000, measureMs: 60_000 };
  const plan: PlanFile = {
    ...{ schemaVersion: 1, startedAt, trials: [] },
    experiment: { name: 'compare', trace: 'synthetic', trials: 3, durations },
  };
  const summary: Summary = {
    ...{ schemaVersion: SUMMARY_SCHEMA_VERSION, experiment: 'compare', startedAt, cells },
    environment: {
      cpu: 'AMD EPYC',
      cores: 2,
      memoryMiB: 24_000,
      os: 'Linux 6.1',
      chrome: 'Chromium 156.0',
      node: 'v24.21.0',
    },
  };
  await writeJson(join(directory, PLAN_FILE), plan);
  await writeJson(join(directory, SUMMARY_FILE), summary);
  return directory;
}

function cellsOf(trials: number): Summary['cells'] {
  const size = { frameworks: Object.keys(tiers), modes: ['optquill', 'noquill'], userCounts: [4, 8], seconds: 10 };
  return syntheticReport({ ...size, trials, tiers }).cells.map(({ summary }) => summary);
}

test('the newest run that is kept is the one that documents show; only its plan and summary are kept', async () => {
  expect(await newestMeasured('compare', { root: folder })).toBe(null);
  const newer = await writeRun('2026-12-02T10:00:00.000Z');
  await keepMeasured(newer, folder);
  await keepMeasured(await writeRun('2026-11-30T10:00:00.000Z'), folder);
  const found = await newestMeasured('compare', { root: folder });
  expect(found!.summary.startedAt).toBe('2026-12-02T10:00:00.000Z');
  const kept = join(folder, 'results/measured/2026-12-02T1000-compare');
  expect((await readdir(kept)).sort()).toEqual([PLAN_FILE, SUMMARY_FILE]);
  expect(await readFile(join(kept, SUMMARY_FILE))).toEqual(await readFile(join(newer, SUMMARY_FILE)));
  expect(await newestMeasured('other', { root: folder })).toBe(null);
});

test('a second run of a day stands beside the first, and the same run is kept in its place', async () => {
  const [first, second] = [await writeRun('2026-12-02T10:00:00.000Z'), await writeRun('2026-12-02T12:34:00.000Z')];
  for (const run of [second, first, second, first]) await keepMeasured(run, folder);
  expect(await readdir(join(folder, 'results/measured'))).toHaveLength(2);
  expect((await newestMeasured('compare', { root: folder }))!.summary.startedAt).toBe('2026-12-02T12:34:00.000Z');
});

test('where the newest run has no cell of a mode, an older one shows that mode', async () => {
  const noquill = cellsOf(2).filter(({ mode }) => mode === 'noquill');
  await keepMeasured(await writeRun('2026-11-30T10:00:00.000Z'), folder);
  await keepMeasured(await writeRun('2026-12-02T10:00:00.000Z', noquill), folder);
  const startedAt = async (mode: Mode) =>
    (await newestMeasured('compare', { mode, root: folder }))?.summary.startedAt.slice(0, 10);
  expect(await startedAt('noquill')).toBe('2026-12-02');
  expect(await startedAt('optquill')).toBe('2026-11-30');
  expect(await startedAt('node')).toBe(undefined);
});

test('in short: the machine, the day, and the cells with most users, by tier, in 120 columns', async () => {
  const run = await keepMeasured(await writeRun('2026-12-02T10:00:00.000Z'), folder);
  const text = comparisonInShort(run);
  expect(text.replaceAll('\n', ' ')).toContain(
    '3 frameworks with 8 users who type into Quill, on 2 cores of AMD EPYC with 23 GiB (Linux 6.1, Chromium 156.0, Node 24.21.0; the trace `synthetic`; 5s of warm-up and 1m measured; 3 trials of each; 2 December 2026):',
  );
  const rows = text.split('```')[1]!.split('\n');
  const body = rows.slice(rows.findIndex((row) => row.startsWith('─')) + 1);
  expect(body.map((row) => row.split(' ')[0])).toEqual([
    'over',
    'yjs-relay',
    '',
    'with',
    'yjs-hocuspocus',
    'automerge-repo',
    '',
  ]);
  expect(text.split('\n').filter((line) => [...line].length > 120)).toEqual([]);
});

test('a run that was stopped says how few trials its cells have', async () => {
  const [cell, ...others] = cellsOf(3);
  const run = await keepMeasured(
    await writeRun('2026-12-02T10:00:00.000Z', [{ ...cell!, trials: 2 }, ...others]),
    folder,
  );
  expect(conditionsOf(run)).toContain('; 2 to 3 trials of each;');
});

test('in full: all cells of a mode, and a chart for each tier, by the name that its image has', async () => {
  const run = await keepMeasured(await writeRun('2026-12-02T10:00:00.000Z'), folder);
  expect(comparedModes(run.summary)).toEqual(['optquill', 'noquill']);
  for (const mode of comparedModes(run.summary)) {
    const text = comparisonInFull(run, mode);
    expect(text.match(/^\| (yjs|automerge)/gm)).toHaveLength(6);
    for (const { tier } of chartTiers(run.summary)) {
      for (const chart of Object.keys(CHARTS)) expect(text).toContain(`](${chartFile(chart, tier, mode)})`);
    }
  }
  expect(imageFile('server-cpu', 'library', 'noquill', run.summary)).toBe('server-cpu-library-noquill.png');
});

test('a summary from before a figure was there shows it as not measured', async () => {
  const cells = cellsOf(3).map(({ serverCpuPercent, tier, ...cell }) => cell as Summary['cells'][number]);
  const run = await keepMeasured(await writeRun('2026-12-02T10:00:00.000Z', cells), folder);
  expect(comparisonInShort(run)).toMatch(/yjs-relay .* – /);
  expect(imageFile('server-cpu', 'unknown', 'optquill', run.summary)).toBe('server-cpu-optquill.png');
});

test('of a version against itself what compare said is kept, and every change is a false word', async () => {
  const run = join(folder, 'run');
  // One trial of each is enough to keep what is said of it, and quick to analyse.
  const trials = [{ figures: { localMs: 10, endToEndMs: 100, serverCpuPercent: 2 } }];
  for (const half of ['base', 'new']) await writeHandMadeRun(join(run, half), { name: 'against-itself', trials });
  const { summary } = await keepMeasured(await writeRun('2026-12-02T10:00:00.000Z'), folder);
  await writeJson(join(run, 'new', SUMMARY_FILE), { ...summary, experiment: 'against-itself', cells: [] });
  await writeJson(join(run, AGAINST_FILE), {});
  await keepWords(run, folder);
  const words = await newestWords('against-itself', folder);
  expect(words!.cells).toMatchObject([{ framework: 'x', mode: 'noquill', users: 2, pairs: 1 }]);
  const text = falseWordsMarkdown(words!).replaceAll('\n', ' ');
  expect(text).toContain('x noquill, 2 users: 1. Of 8 comparisons 0 gave a false word:');
  expect(text).toContain('| too few trials |');
  words!.cells[0]!.figures[0]!.word = 'slower';
  expect(falseWordsMarkdown(words!)).toMatch(/\| slower +\| 1 +\| false +\|/);
});

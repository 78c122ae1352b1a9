/** A run becomes the tables of the documents without a hand: kept, found again, written. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { aboutCell } from '../../analysis/cell/messages.ts';
import { KEPT_ENDING, writeKept } from '../../analysis/site/kept-file.ts';
import { keepRun, keptNames, readKept } from '../../analysis/site/kept-runs.ts';
import { packRun } from '../../analysis/site/pack-run.ts';
import { writeHandMadeRun } from '../../analysis/test-data/hand-made-run.ts';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { writtenOf } from '../../analysis/test-data/written-cell.ts';
import { discoverFrameworks } from '../../frameworks/discover.ts';
import { AGAINST_FILE, PLAN_FILE, SUMMARY_FILE } from '../../results/formats/run-directory.ts';
import { SUMMARY_SCHEMA_VERSION, type Summary } from '../../results/formats/summary.ts';
import { writeFileAtomically, writeJson } from '../../results/formats/write-file.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { copyKeptRuns } from '../../tests/kept-runs.ts';
import { presenceMarkdown } from './generated-parts.ts';
import { KEPT_TABLES } from './kept-tables.ts';
import { rowsOf } from './test-data/markdown-tables.ts';
import { cellsIn } from './test-data/opened-cells.ts';

const root = folderOfEachTest();
beforeEach(() => copyKeptRuns(root.path));

const tiers = { 'yjs-hocuspocus': 'deployed', 'yjs-relay': 'library', 'automerge-repo': 'deployed' } as const;
const size = { frameworks: Object.keys(tiers), modes: ['optquill', 'noquill'], userCounts: [4, 8], seconds: 10 };
const CELLS = syntheticReport({ ...size, trials: 3, tiers }).cells.map((cell) => ({
  ...writtenOf(cell),
  ...{ endToEndLessBatchMs: { p50: null, p95: null }, crowdLateMs: null },
}));
const because = (text: string) => aboutCell('reason', 'decides', text);
const environment = {
  ...{ cpu: 'AMD EPYC', cores: 2, memoryMiB: 24_000, os: 'Linux 6.1', chrome: 'Chromium 156.0', node: 'v24.21.0' },
};

/** @returns the folder of the run, as `run` writes it */
async function writeRun(startedAt: string, cells: Summary['cells'] = CELLS, experiment = 'compare'): Promise<string> {
  const directory = root.in(startedAt);
  await writeJson(join(directory, PLAN_FILE), {
    ...{ schemaVersion: 1, startedAt, trials: [] },
    experiment: { name: experiment, trace: 'synthetic', trials: 3, durations: { warmUpMs: 5000, measureMs: 60_000 } },
  });
  const summary: Summary = { schemaVersion: SUMMARY_SCHEMA_VERSION, experiment, startedAt, environment, cells };
  await writeJson(join(directory, SUMMARY_FILE), summary);
  return directory;
}

const keep = async (...run: Parameters<typeof writeRun>) => await keepRun(await writeRun(...run), root.path);
const written = async (kind: string, sql: string) => await KEPT_TABLES[kind]!(sql, await cellsIn(root.path));
/** A query for all cells of an experiment. */
const chosen = (experiment: string, figures = 'serverCpuPercent') =>
  `SELECT cell, ${figures} FROM cells WHERE experiment = '${experiment}'`;
const OF_COMPARE = chosen('compare');

test('another run of the same minute is refused, and the kept one stays', async () => {
  const name = await keep('2026-12-02T10:00:00.000Z', CELLS, 'twice');
  await expect(keep('2026-12-02T10:00:30.000Z', CELLS, 'twice')).rejects.toThrow(`is kept as ${name}, and this one`);
  expect((await readKept(name, root.path)).summary.startedAt).toBe('2026-12-02T10:00:00.000Z');
});

test('a run is kept whole, under its start and its experiment, and the same run in its place', async () => {
  const [first, second] = ['2026-12-02T10:00:00.000Z', '2026-12-02T12:34:00.000Z'];
  for (const startedAt of [second, first, second]) await keep(startedAt);
  const names = await keptNames(root.path);
  expect(names.filter((name) => name.endsWith('-compare'))).toEqual([
    '2026-12-02T1000-compare',
    '2026-12-02T1234-compare',
  ]);
  const files = await readdir(root.in('results/measured'));
  expect(files.filter((file) => file.endsWith('-compare.json.gz'))).toHaveLength(2);
  const { plan, summary } = await readKept('2026-12-02T1000-compare', root.path);
  expect(plan.experiment.trace).toBe('synthetic');
  expect(summary.cells).toHaveLength(CELLS.length);
  await expect(readKept('2026-12-02T1000-other', root.path)).rejects.toThrow('2026-12-02T1000-compare');
});

test('rows: the machine, the day, and the chosen cells by tier, in 120 columns', async () => {
  await keep('2026-12-02T10:00:00.000Z');
  const text = await written('rows', `${OF_COMPARE} AND mode = 'noquill' AND users = 8`);
  expect(text.replaceAll('\n', ' ')).toContain(
    'Measured on 2 cores of AMD EPYC, 300 turns/µs on one core, 550 on all, with 23 GiB (Linux 6.1, Chromium 156.0, Node 24.21.0; the trace `synthetic`; 5s of warm-up and 1m measured; 3 trials of each; 2 December 2026):',
  );
  const rows = text.split('```')[1]!.split('\n');
  const body = rows.slice(rows.findIndex((row) => row.startsWith('─')) + 1);
  expect(body.filter((row) => row.startsWith('yjs-relay'))).toHaveLength(1);
  expect(body.filter((row) => /^(over|with)/.test(row))).toHaveLength(2);
  expect(text.split('\n').filter((line) => [...line].length > 120)).toEqual([]);
});

test('rows: of every run that has such cells, and how few trials one has if the run was stopped', async () => {
  const [cell, ...others] = CELLS;
  await keep('2026-12-02T10:00:00.000Z', [{ ...cell!, trials: 2, validTrials: 2 }, ...others]);
  const messages = [{ ...because('late'), trials: [1] }, because('not smooth')];
  await keep('2026-12-04T10:00:00.000Z', [{ ...cell!, framework: 'loro', messages }]);
  const text = (await written('rows', `${OF_COMPARE} AND users = 4`)).replaceAll('\n', ' ');
  expect(text).toContain('; 2 to 3 trials of each; 2 December 2026)');
  expect(text).toMatch(/4 December 2026.*loro.*- loro, \w+, 4 users: not smooth$/);
  expect(await written('rows', `${OF_COMPARE} AND framework = 'loro'`)).not.toContain('2 December');
  await expect(written('rows', chosen('other'))).rejects.toThrow('no kept cell is chosen by: SELECT cell');
});

test('figures: the named ones with their intervals; one that is younger than the run was not measured', async () => {
  const { userCpuPercent, ...older } = CELLS[0]!;
  const cell = {
    ...{ ...older, framework: 'yjs@13.5.53', trials: 5, validTrials: 4, serverCpuPercent: 5.55 },
    ci95: { ...older.ci95, serverCpuPercent: { low: 5, high: 6.04 } },
  } as unknown as Summary['cells'][number];
  for (const day of ['02', '04']) await keep(`2026-12-${day}T10:00:00.000Z`, [cell]);
  await keep('2026-12-06T10:00:00.000Z', CELLS, 'younger');
  const sql = chosen('compare', 'serverCpuPercent, userCpuPercent');
  const rows = rowsOf(await written('figures', sql)).slice(2);
  expect(rows.map((row) => row.slice(0, 5))).toEqual([
    ['yjs@13.5.53', '2 Dec, 10:00', '4 of 5', '5.5 (5.0–6.0)', '–'],
    ['yjs@13.5.53', '4 Dec, 10:00', '4 of 5', '5.5 (5.0–6.0)', '–'],
  ]);
});

test('figures: what may be set side by side stands side by side', async () => {
  await keep('2026-12-02T10:00:00.000Z', CELLS.filter(({ users }) => users === 4).toReversed());
  const [heading, , ...rows] = rowsOf(await written('figures', OF_COMPARE));
  expect(heading!.slice(0, 3)).toEqual(['framework', 'server', 'mode']);
  expect(rows.map((row) => row.slice(0, 3).join(' '))).toEqual([
    'yjs-relay relay optquill',
    'automerge-repo own optquill',
    'yjs-hocuspocus own optquill',
    'yjs-relay relay noquill',
    'automerge-repo own noquill',
    'yjs-hocuspocus own noquill',
  ]);
});

test('figures: one that some valid trials lack says how many it is of', async () => {
  const cell = { ...CELLS[0]!, trials: 5, validTrials: 5 };
  const { name, kept } = await packRun(await writeRun('2026-12-02T10:00:00.000Z', [cell]));
  const replicates = [{ 'localLatencyMs.p50': [4], serverCpuPercent: [1, 2, 3, 4, 5] }];
  await writeKept(root.in('results/measured', `${name}${KEPT_ENDING}`), { ...kept, replicates });
  const sql = chosen('compare', 'localLatencyMs.p50, serverCpuPercent');
  const [row] = rowsOf(await written('figures', sql)).slice(2);
  expect(row!.map((text) => /, in .*/.exec(text)?.[0]).filter(Boolean)).toEqual([', in 1 of 5']);
});

test('a table that rests on a played crowd says what is not shown of it', async () => {
  const name = await keep('2026-12-02T10:00:00.000Z', [{ ...CELLS[0]!, crowdLateMs: 1 }], 'hundred');
  expect(name).toContain('hundred');
  for (const kind of ['rows', 'figures']) {
    expect((await written(kind, chosen('hundred'))).replaceAll('\n', ' ')).toContain(
      'Beware: most users are a played crowd',
    );
  }
  await keep('2026-12-02T10:00:00.000Z', CELLS, 'live');
  expect(await written('rows', chosen('live'))).not.toContain('played crowd');
});

test('faults: of each run, with the delay on the way', async () => {
  for (const [day, oneWayDelayMs] of [['02', 0] as const, ['04', 50] as const]) {
    const { name, kept } = await packRun(await writeRun(`2026-12-${day}T10:00:00.000Z`));
    const link = { oneWayDelayMs, jitterMs: 0, bandwidthBytesPerSecond: null };
    kept.plan.experiment.network = { groups: [{ name: 'all', share: 1, link, region: null }] };
    await writeKept(root.in('results/measured', `${name}${KEPT_ENDING}`), kept);
  }
  const text = (await written('faults', OF_COMPARE)).replaceAll('\n', ' ');
  expect(text).toContain('2 December 2026). Means');
  expect(text).toContain('4 December 2026), with 50ms each way to the server. Means');
});

test('a kept search has its answers', async () => {
  const run = await writeRun('2026-12-02T10:00:00.000Z', CELLS, 'max');
  await writeFileAtomically(join(run, 'max.md'), 'criterion: smooth\n');
  const found = { framework: 'yjs', mode: 'optquill', answer: 'at least 16', trials: [] };
  await writeJson(join(run, 'max.json'), { schemaVersion: 1, criterion: 'smooth', frameworks: [found] });
  const kept = await readKept(await keepRun(run, root.path), root.path);
  expect(kept.answers).toEqual([{ framework: 'yjs', mode: 'optquill', text: 'at least 16' }]);
});

test('words: of two versions in turns, the comparison is kept', async () => {
  const run = root.in('run');
  const trials = [{ figures: { localMs: 10, endToEndMs: 100, serverCpuPercent: 2 } }];
  const half = { name: 'against-itself', trials, isAnalysed: true };
  for (const folder of ['base', 'new']) await writeHandMadeRun(join(run, folder), half);
  const startedAt = '2026-12-02T10:00:00.000Z';
  const summary = { schemaVersion: SUMMARY_SCHEMA_VERSION, experiment: 'against-itself', startedAt, environment };
  await writeJson(join(run, 'new', SUMMARY_FILE), { ...summary, cells: CELLS.slice(0, 1) });
  await writeJson(join(run, AGAINST_FILE), {});
  await keepRun(run, root.path);
  const text = (await written('words', chosen('against-itself'))).replaceAll('\n', ' ');
  expect(text).toContain('Pairs that count: x noquill, 2 users: 1.');
  expect(text).toContain('| too few trials |');
});

test('a table of all that a query gives', async () => {
  await keep('2026-12-02T10:00:00.000Z');
  const sql =
    "SELECT DISTINCT framework, NULL AS nothing FROM cells WHERE experiment = 'compare' AND framework LIKE '%relay' ORDER BY 1";
  expect(await written('table', sql)).toBe('| framework | nothing |\n| --- | --- |\n| yjs-relay | – |');
});

const yjs = { ...CELLS[0]!, framework: 'yjs', mode: 'optquill', users: 112, throughputPercent: 99.96 };
const keepPart = async (startedAt: string, cells: Summary['cells']) => await keep(startedAt, cells, 'paper');
const grid = async () => await written('paper grid', chosen('paper'));

test('a cell of the grid stands above the paper’s, column by column', async () => {
  const local = { ...yjs, localLatencyMs: { p50: 41.04, p95: null, p99: null, samples: 12 } };
  await keepPart('2026-12-21T12:00:00Z', [local]);
  const [, , here, paper] = rowsOf(await grid());
  expect(here!.slice(0, 5)).toEqual(['112', '`yjs`', 'here', '100.0', '41']);
  // The last is of Table 3: 96 users.
  const figures = ['96.8', '95.3', '963', '1574', '87.0', '26.3', '234', '–', 'no'];
  expect(paper!.slice(0, 12)).toEqual(['', '', 'paper', ...figures]);
});

test('in the grid a cell that is not valid says so, and a valid one that was not judged nothing', async () => {
  const cells = [
    { ...yjs, fullyFunctional: null },
    { ...yjs, framework: 'loro', fullyFunctional: null, verdict: 'invalid' as const },
  ];
  await keepPart('2026-12-21T12:00:00Z', cells);
  const rows = rowsOf(await grid()).filter(([, , whose]) => whose === 'here');
  expect(rows.map((row) => [row[1], row.at(-1)])).toEqual([
    ['`loro`', 'invalid'],
    ['`yjs`', '–'],
  ]);
});

test('a framework or a count that the paper did not have stands alone', async () => {
  const cells = [
    { ...yjs, framework: 'loro' },
    { ...yjs, users: 8 },
  ];
  await keepPart('2026-12-21T12:00:00Z', cells);
  expect(await grid()).not.toContain('| paper');
});

test('a cell stands once for each run, with its conditions and the reasons of what is not valid', async () => {
  const invalid = {
    ...yjs,
    framework: 'loro',
    verdict: 'invalid' as const,
    messages: [because('the cores were busy')],
  };
  await keepPart('2026-12-21T12:00:00Z', [yjs, invalid]);
  await keepPart('2026-12-24T12:00:00Z', [{ ...yjs, throughputPercent: 77 }]);
  const text = await grid();
  const rows = rowsOf(text).filter(([, , whose]) => whose!.startsWith('here'));
  expect(rows.map((row) => row.slice(1, 4))).toEqual([
    ['`loro`', 'here', '100.0'],
    ['`yjs`', 'here, 21 Dec, 12:00', '100.0'],
    ['`yjs`', 'here, 24 Dec, 12:00', '77.0'],
  ]);
  expect(text).toMatch(/^- .*21 December 2026\): `yjs` `optquill` 112; `loro` `optquill` 112$/m);
  expect(text).toMatch(/^- .*24 December 2026\): `yjs` `optquill` 112$/m);
  expect(text).toContain('- `loro`, 112 users: the cores were busy');
});

test('a figure of the grid beside a played crowd has its mark, and the mark its meaning', async () => {
  await keepPart('2026-12-21T12:00:00Z', [{ ...yjs, crowdLateMs: 1 }]);
  const text = await grid();
  expect(rowsOf(text)[2]!.slice(0, 4)).toEqual(['112', '`yjs`', 'here', '100.0°']);
  expect(text).toContain('°: beside a played crowd');
});

test('every framework says by what means it has presence, or why not', async () => {
  const frameworks = await discoverFrameworks();
  expect(frameworks.filter(({ about }) => about.presence === undefined).map(({ name }) => name)).toEqual([]);
  const means = rowsOf(presenceMarkdown(frameworks)).map(([framework, what]) => [framework, what!.slice(0, 5)]);
  expect(means).toContainEqual(['`json-joy`', 'none.']);
  expect(means).toContainEqual(['`loro`', 'an Ep']);
});

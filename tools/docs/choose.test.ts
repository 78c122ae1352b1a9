/** choose.md's and kept.md's answers follow the kept runs without a hand, and tell the blocks that lack. */
import { beforeEach, expect, test } from 'vitest';
import { FAULT_FIGURES } from '../../analysis/resilience/fault-figures.ts';
import { keptNames } from '../../analysis/site/kept-runs.ts';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { writtenOf } from '../../analysis/test-data/written-cell.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { copyKeptRuns } from '../../tests/kept-runs.ts';
import { readDocuments } from './documents.ts';
import { partsOf } from './generated-parts.ts';
import { KEPT_TABLES } from './kept-tables.ts';
import { keepMade } from './test-data/made-run.ts';
import { rowsOf } from './test-data/markdown-tables.ts';
import { cellsIn } from './test-data/opened-cells.ts';

const root = folderOfEachTest();
beforeEach(async () => {
  await copyKeptRuns(root.path);
  for (const library of ['yjs', 'automerge-repo', 'sharedb', 'loro']) {
    await keep('offline', { ...cell(library, 4), faults: [HARMLESS] });
  }
});

const MADE = writtenOf(
  syntheticReport({
    ...{ frameworks: ['yjs'], modes: ['optquill'], userCounts: [4], seconds: 10, trials: 1 },
  }).cells[0]!,
);

const HARMLESS = {
  ...{ fault: 0, kind: 'server-restart', users: 1, atS: 10, forS: 5, trials: 1 },
  ...Object.fromEntries(FAULT_FIGURES.map(({ name }) => [name, { mean: 0, ci95: null, never: 0 }])),
};

function cell(framework: string, users: number, { cpu = 30, isValid = true } = {}): object {
  return {
    ...{ ...MADE, framework, mode: 'optquill', users, trials: 1, validTrials: isValid ? 1 : 0 },
    ...{ verdict: isValid ? 'valid' : 'invalid', ci95: {}, userCpuPercent: cpu, fullyFunctional: true, faults: [] },
    endToEndLatencyMs: { p50: 10 * cpu, p95: 20 * cpu, p99: null, samples: 10 },
  };
}

let runs = 0;
/** One run, or one block of an entry such as `comparison-young`. */
async function keep(experiment: string, made: object | object[], block?: number): Promise<void> {
  const startedAt = new Date(Date.UTC(2026, 11, 1, 0, runs++)).toISOString();
  const [part = '', entry = ''] = experiment.split('-');
  const run = { experiment, startedAt, environment: { cores: 2, cpu: 'made up' }, cells: [made].flat() };
  if (block === undefined) return await keepMade(root.path, run);
  const campaign = { campaign: 'first-question', part, entry, question: '?', block, deposit: false };
  await keepMade(root.path, { ...run, experiment: `first-question-${experiment}` }, { campaign });
}

async function keepBlocks(count: number, made: (block: number) => object): Promise<void> {
  for (let block = 1; block <= count; block++) await keep('comparison-young', made(block), block);
}

async function firstTable(path: string): Promise<string> {
  const page = (await readDocuments()).find((document) => document.path === path)!;
  const [part] = partsOf(page.text);
  return await KEPT_TABLES[part!.name]!(part!.sql!, await cellsIn(root.path));
}
const choose = () => firstTable('docs/choose.md');
const keeping = () => firstTable('docs/data/kept.md');

/** Of the campaign's part, as measurements.md asks. */
async function blocks(): Promise<string> {
  const sql =
    "SELECT entry, blocks, kept, cell, userCpuPercent FROM wanted LEFT JOIN cells USING (run) WHERE part = 'comparison' ORDER BY nr";
  return await KEPT_TABLES.blocks!(sql, await cellsIn(root.path));
}

async function rowOf(table: Promise<string>, first: RegExp): Promise<string[]> {
  return rowsOf(await table).find(([text]) => first.test(text!))!;
}

/** In the page's row of keys to others' screens. */
const FOUR = /4 people in Quill, 750 characters, own server/;
const linked = (answer: string) => `[${answer}](data/measurements.md#in-blocks)`;

test('without a block there is a gap', async () => {
  expect(await blocks()).toBe('**young**: 0 of 3 blocks.\n\n**long**: 0 of 3 blocks.');
  expect(await rowOf(choose(), FOUR)).toBeUndefined();
});

test('blocks count from the first on, until they are enough', async () => {
  await keepBlocks(3, (block) => cell('yjs', 4, { cpu: 20 + block, isValid: block !== 2 }));
  // The geometric mean of 210 and 230 ms.
  expect(await rowOf(choose(), FOUR)).toMatchObject({ 1: linked('220 / 440'), 2: '–', 5: '2 of 3 blocks' });
});

test('with all blocks there is no gap; cells that the campaign does not measure never have one', async () => {
  await keepBlocks(3, () => cell('yjs', 4));
  expect(await rowOf(choose(), FOUR)).toMatchObject({ 1: linked('300 / 600'), 5: '3 blocks' });
  expect(await rowOf(choose(), /server restarts/)).toMatchObject({
    1: '[nothing lost](data/resilience.md#the-server-restarts)',
    5: '1 trial',
  });
  const tables = await blocks();
  expect(tables).toContain('**young**: 3 blocks:');
  expect(tables).toContain('3 of 3');
});

test('a sentence names one block, which others do not change', async () => {
  await keepBlocks(2, (block) => cell('yjs', 4, { cpu: 20 + block }));
  const cells = await cellsIn(root.path);
  const cpuOf = async (run: string | undefined) =>
    (await cells.ask(`SELECT userCpuPercent FROM cells WHERE run = '${run}'`)).rows;
  const first = (await keptNames(root.path)).find((name) => name.endsWith('-first-question-comparison-young'));
  expect(await cpuOf(first)).toEqual([[21]]);
  expect(await cpuOf('first-question-comparison-young')).toEqual([[21.5]]);
});

test('latencies of a full machine are marked, and those of a cell that may not have held', async () => {
  await keepBlocks(1, () => ({ ...cell('yjs', 4), machineCpuPercent: 96, fullyFunctional: null }));
  expect(await rowOf(choose(), FOUR)).toMatchObject({ 1: linked('300! / 600! ?') });
});

/** Cells with programs beside the servers, whose figures are null if nobody could read them. */
function withPostgres(figures: { storeCpuPercent: number | null; brokerCpuPercent: number | null }): object[] {
  const of = (mode: string, serverCpuPercent: number) => ({
    ...cell('sharedb', 8),
    mode,
    serverCpuPercent,
    ...figures,
  });
  return [of('node', 10), of('node+postgres', 12), of('node+postgres+3-servers', 30)];
}

test('stores and several servers: not measured, or beside the same in memory and with one', async () => {
  const backed = (mode: string, figures: object = {}) => ({ ...cell('automerge-repo', 8), mode, ...figures });
  expect(await rowOf(keeping(), /Keeping costs: CPU/)).toMatchObject({ 3: 'not measured', 4: 'not measured', 6: '–' });
  expect(await rowOf(choose(), /Keeping costs: CPU/)).toMatchObject({ 1: 'not measured', 2: 'not measured', 5: '–' });
  const failed = { converged: false, validTrials: 0, failedTrials: 1, verdict: 'failed' };
  await keep('stores', [
    backed('node', { serverCpuPercent: 10 }),
    backed('node+files', { serverCpuPercent: 12, writtenBytesPerCharacter: 41.5 }),
    backed('node+3-servers', failed),
    ...withPostgres({ storeCpuPercent: null, brokerCpuPercent: null }),
  ]);
  const costs = { 3: '12 (10) with 8', 4: 'not measured', 5: 'not measured', 6: '1 trial' };
  expect(await rowOf(keeping(), /Keeping costs: CPU/)).toMatchObject(costs);
  expect(await rowOf(keeping(), /bytes written/)).toMatchObject({ 3: '42' });
  expect(await rowOf(keeping(), /bytes on disk/)).toMatchObject({ 3: 'not measured', 6: '–' });
  expect(await rowOf(keeping(), /three hold/)).toMatchObject({ 3: 'no', 6: '1 trial' });
  expect(await rowOf(choose(), /Keeping costs: CPU/)).toMatchObject({
    2: '[12 (10) with 8](data/kept.md)',
    5: '1 trial',
  });
  expect(await rowOf(choose(), /Three servers/)).toMatchObject({ 2: '[they split](data/kept.md)' });
});

test('a store is told with the most valid trials before the most people, and a row rests on its answers alone', async () => {
  const of = (mode: string, users: number, trials: number, serverCpuPercent: number) => ({
    ...cell('automerge-repo', users),
    ...{ mode, trials, validTrials: trials, serverCpuPercent },
  });
  await keep('stores', [
    ...[of('node', 8, 3, 10), of('node+files', 8, 3, 12)],
    ...[of('node', 16, 1, 20), of('node+files', 16, 1, 24)],
    ...withPostgres({ storeCpuPercent: null, brokerCpuPercent: null }),
  ]);
  expect(await rowOf(keeping(), /Keeping costs: CPU/)).toMatchObject({ 3: '12 (10) with 8', 6: '3 trials' });
  expect(await rowOf(choose(), /Keeping costs: CPU/)).toMatchObject({
    2: '[12 (10) with 8](data/kept.md)',
    4: 'not measured',
    5: '3 trials',
  });
});

test('a store is told beside memory in the same run, and several servers with the most people that a valid trial had', async () => {
  const backed = (mode: string, users: number, more: object = {}) => ({
    ...cell('automerge-repo', users),
    mode,
    ...more,
  });
  const spoilt = { converged: false, validTrials: 0, failedTrials: 0, verdict: 'invalid' };
  await keep('stores', [
    backed('node', 8, { serverCpuPercent: 10 }),
    backed('node+files', 8, { serverCpuPercent: 12 }),
    ...withPostgres({ storeCpuPercent: 3, brokerCpuPercent: 2 }),
  ]);
  await keep('scale-out', [
    backed('node+files', 112, { serverCpuPercent: 90 }),
    backed('node+files', 16, { serverCpuPercent: 30 }),
    backed('node+files+3-servers', 16, { serverCpuPercent: 48 }),
    backed('node+files+3-servers', 112, spoilt),
  ]);
  expect(await rowOf(keeping(), /Keeping costs: CPU/)).toMatchObject({ 3: '12 (10) with 8', 5: '15 (10) with 8' });
  expect(await rowOf(keeping(), /three hold/)).toMatchObject({ 3: 'yes' });
  expect(await rowOf(keeping(), /CPU of three/)).toMatchObject({ 3: '48 (30) with 16', 5: '32 (12) with 8' });

  // More trials come before more people, and the column's own store before a newer run in memory.
  const often = { trials: 3, validTrials: 3 };
  await keep('scale-out', [
    backed('node+files', 16, { ...often, serverCpuPercent: 31 }),
    backed('node+files+3-servers', 16, { ...often, serverCpuPercent: 49 }),
    backed('node+files', 48, { serverCpuPercent: 60 }),
    backed('node+files+3-servers', 48, { serverCpuPercent: 80 }),
  ]);
  await keep('scale-out', [
    backed('node', 64, { ...often, serverCpuPercent: 70 }),
    backed('node+3-servers', 64, { ...often, serverCpuPercent: 90 }),
  ]);
  expect(await rowOf(keeping(), /CPU of three/)).toMatchObject({ 3: '49 (31) with 16' });

  // A split is told, however well fewer people fare.
  const split = { ...spoilt, failedTrials: 1, verdict: 'failed' };
  await keep('scale-out', [
    backed('node+files+3-servers', 16, { serverCpuPercent: 48 }),
    backed('node+files+3-servers', 112, split),
  ]);
  expect(await rowOf(keeping(), /three hold/)).toMatchObject({ 3: 'no', 6: '1 trial' });
  expect(await rowOf(choose(), /Three servers/)).toMatchObject({ 2: '[they split](data/kept.md)' });
});

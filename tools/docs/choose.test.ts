/** README's and choose.md's tables follow the kept blocks of the campaign without a hand, and show the blocks that lack. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FAULT_FIGURES } from '../../analysis/resilience/fault-figures.ts';
import { type KeptRun, writeKept } from '../../analysis/site/kept-file.ts';
import { keptNames } from '../../analysis/site/kept-runs.ts';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { writtenOf } from '../../analysis/test-data/written-cell.ts';
import { copyKeptRuns } from '../../tests/kept-runs.ts';
import { readDocuments } from './documents.ts';
import { partsOf } from './generated-parts.ts';
import { KEPT_TABLES } from './kept-tables.ts';
import { cellsIn } from './test-data/opened-cells.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'choose-'));
  await copyKeptRuns(root);
  for (const library of ['yjs', 'automerge-repo', 'sharedb', 'loro']) {
    await keep('offline', { ...cell(library, 4), faults: [HARMLESS] });
  }
});
afterEach(() => rm(root, { recursive: true }));

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
    endToEndLessBatchMs: { p50: null, p95: null },
  };
}

let runs = 0;
/** One run, or one block of an entry such as `hundred-crdts`. */
async function keep(experiment: string, made: object | object[], block?: number): Promise<void> {
  const startedAt = new Date(Date.UTC(2026, 11, 1, 0, runs++)).toISOString();
  const name = block === undefined ? experiment : `first-question-${experiment}`;
  const [part = '', entry = ''] = experiment.split('-');
  const kept = {
    plan: {
      experiment: {
        ...{ trace: 'synthetic', trials: 1, durations: { warmUpMs: 1000, measureMs: 1000 } },
        batching: { sendMs: 1000, sendFromUsers: 64 },
      },
    },
    written: {
      schemaVersion: 1,
      experiment: name,
      startedAt,
      environment: { cores: 2, cpu: 'made up' },
      cells: [made].flat(),
    },
    ...(block !== undefined && {
      campaign: { campaign: 'first-question', part, entry, question: '?', block, deposit: false },
    }),
  };
  const file = `${startedAt.slice(0, 19).replaceAll(':', '')}-${name}.json.gz`;
  await writeKept(join(root, 'results/measured', file), kept as unknown as KeptRun);
}

async function keepBlocks(count: number, made: (block: number) => object): Promise<void> {
  for (let block = 1; block <= count; block++) await keep('hundred-crdts', made(block), block);
}

/** README's table before the first ladder, and choose.md's by its own query. */
async function carried(): Promise<string> {
  const rows = "part = 'hundred' AND entry NOT LIKE '%-human' AND library <> 'yjs-hocuspocus'";
  const sql = `SELECT library, tier, tried, batch, "latency, ms", "CPU, %", n FROM carried() WHERE ${rows}`;
  return await KEPT_TABLES.table!(sql, await cellsIn(root));
}

function choose(): Promise<string> {
  return firstTable('docs/choose.md');
}

async function firstTable(path: string): Promise<string> {
  const page = (await readDocuments()).find((document) => document.path === path)!;
  const [part] = partsOf(page.text);
  return await KEPT_TABLES[part!.name]!(part!.sql!, await cellsIn(root));
}

/** Of the campaign's part, as results.md asks. */
async function blocks(): Promise<string> {
  const sql =
    "SELECT entry, blocks, kept, cell, userCpuPercent FROM wanted LEFT JOIN cells USING (run) WHERE part = 'hundred' ORDER BY nr";
  return await KEPT_TABLES.blocks!(sql, await cellsIn(root));
}

async function rowOf(table: Promise<string>, first: RegExp): Promise<string[]> {
  const rows = (await table).split('\n').map((line) => line.split(' | ').map((text) => text.replace(/^\| | \|$/g, '')));
  return rows.find(([text]) => first.test(text!))!;
}

test('without a block there is a gap', async () => {
  expect(await rowOf(carried(), /yjs/)).toEqual(['yjs', '–', '–', '–', '–', '–', '0/5']);
  expect(await rowOf(choose(), /page’s CPU/)).toMatchObject({ 1: '–', 2: '–', 5: '0 of 5 blocks' });
  expect(await blocks()).toContain('**crdts**: 0 of 5 blocks.');
});

test('blocks count from the first on, until they are enough', async () => {
  await keepBlocks(4, (block) => cell('yjs', 112, { cpu: 20 + block, isValid: block !== 3 }));
  const [, , people, , , cpu, blocks] = await rowOf(carried(), /yjs/);
  expect([people, blocks]).toEqual(['112', '3/5']);
  // Of 21, 22 and 24: Student's t of two degrees of freedom, 4.303 · 1.528 / √3.
  expect(cpu).toBe('22 (19–26)°');
  expect(await rowOf(choose(), /page’s CPU/)).toMatchObject({
    1: '[22° with 112](data/results.md#in-blocks)',
    5: '0–3 of 5 blocks',
  });
});

test('with all blocks there is no gap; cells that the campaign does not measure never have one', async () => {
  await keepBlocks(5, () => cell('yjs', 112));
  expect(await rowOf(carried(), /yjs/)).toMatchObject({ 6: '5' });
  expect(await rowOf(choose(), /most that were tried/)).toMatchObject({
    1: '[112](data/results.md#in-blocks)',
  });
  expect(await rowOf(choose(), /server restarts/)).toMatchObject({
    1: '[nothing lost](data/resilience.md#the-server-restarts)',
    5: '1 trial',
  });
  const tables = await blocks();
  expect(tables).toContain('**crdts**: 5 blocks:');
  expect(tables).toContain('5 of 5');
});

test('a sentence names one block, which others do not change', async () => {
  await keepBlocks(2, (block) => cell('yjs', 112, { cpu: 20 + block }));
  const cells = await cellsIn(root);
  const cpuOf = async (run: string | undefined) =>
    (await cells.ask(`SELECT userCpuPercent FROM cells WHERE run = '${run}'`)).rows;
  const first = (await keptNames(root)).find((name) => name.endsWith('-first-question-hundred-crdts'));
  expect(await cpuOf(first)).toEqual([[21]]);
  expect(await cpuOf('first-question-hundred-crdts')).toEqual([[21.5]]);
});

test('latency is what a person waits, and the table says how long senders gather edits', async () => {
  await keepBlocks(3, () => ({ ...cell('yjs', 112), endToEndLessBatchMs: { p50: 36, p95: 60 } }));
  expect(await rowOf(carried(), /yjs/)).toMatchObject({ 3: '1s', 4: '300 (300–300)°' });
});

test('latencies of a full machine are marked', async () => {
  await keepBlocks(1, () => ({ ...cell('yjs', 112), machineCpuPercent: 96 }));
  expect((await rowOf(carried(), /yjs/))[4]).toBe('300!°');
});

test('a crowd that held in some blocks only did not hold', async () => {
  await keepBlocks(2, (block) => ({ ...cell('yjs', 112), fullyFunctional: block === 1 }));
  expect(await rowOf(carried(), /yjs/)).toMatchObject({ 2: 'not 112' });
});

test('where blocks do not tell if a crowd held, it is asked', async () => {
  await keepBlocks(2, () => ({ ...cell('yjs', 112), fullyFunctional: null }));
  expect(await rowOf(carried(), /yjs/)).toMatchObject({ 2: '112 ?' });
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
  const keeping = () => firstTable('docs/data/kept.md');
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
  expect(await rowOf(choose(), /Keeping costs: CPU/)).toMatchObject({ 2: '[12 (10) with 8](data/kept.md)', 5: '1 trial' });
  expect(await rowOf(choose(), /Three servers/)).toMatchObject({ 2: '[they split](data/kept.md)' });
});

test('a store is told beside memory in the same run, and several servers with the most people that a valid trial had', async () => {
  const backed = (mode: string, users: number, more: object = {}) => ({
    ...cell('automerge-repo', users),
    mode,
    ...more,
  });
  const keeping = () => firstTable('docs/data/kept.md');
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

  // A split is told, however well fewer people fare.
  const split = { ...spoilt, failedTrials: 1, verdict: 'failed' };
  await keep('scale-out', [
    backed('node+files+3-servers', 16, { serverCpuPercent: 48 }),
    backed('node+files+3-servers', 112, split),
  ]);
  expect(await rowOf(keeping(), /three hold/)).toMatchObject({ 3: 'no', 6: '1 trial' });
  expect(await rowOf(choose(), /Three servers/)).toMatchObject({ 2: '[they split](data/kept.md)' });
});

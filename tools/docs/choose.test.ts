/** README's and choose.md's tables follow the kept blocks of the campaign without a hand, and show the blocks that lack. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FAULT_FIGURES } from '../../analysis/resilience/fault-figures.ts';
import { experimentOf, type KeptRun, keptNames, writeKept } from '../../analysis/site/kept-runs.ts';
import { syntheticReport } from '../../analysis/test-data/synthetic-report.ts';
import { carriedMarkdown } from './carried.ts';
import { chooseMarkdown } from './choose.ts';
import { writeKeptTable } from './kept-tables.ts';
import { readPlaces } from './places.ts';
import { resultOf } from './tied-figures.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'choose-'));
  await keep('paper-on-one-machine', cell('yjs', 48, { cpu: 36 }));
  for (const library of ['yjs', 'automerge-repo', 'sharedb', 'loro']) {
    for (const run of ['restart', 'offline']) await keep(run, { ...cell(library, 4), faults: [HARMLESS] });
  }
});
afterEach(() => rm(root, { recursive: true }));

const MADE = syntheticReport({
  ...{ frameworks: ['yjs'], modes: ['optquill'], userCounts: [4], seconds: 10, trials: 1 },
}).cells[0]!.summary;

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
async function keep(experiment: string, made: object, block?: number): Promise<void> {
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
    summary: {
      schemaVersion: 1,
      experiment: name,
      startedAt,
      environment: { cores: 2, cpu: 'made up' },
      cells: [made],
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

async function rowOf(table: Promise<string>, first: RegExp): Promise<string[]> {
  const rows = (await table).split('\n').map((line) => line.split(' | ').map((text) => text.replace(/^\| | \|$/g, '')));
  return rows.find(([text]) => first.test(text!))!;
}

test('without a block the older run stands there, and the gap beside it', async () => {
  expect(await rowOf(carriedMarkdown(root), /yjs/)).toEqual(['yjs', '–', '48', 'no', '360°', '36°', '0/5']);
  expect(await rowOf(carriedMarkdown(root), /automerge/)).toEqual(['automerge', '–', '–', '–', '–', '–', '0/5']);
  expect(await rowOf(chooseMarkdown(root), /page’s CPU/)).toMatchObject({
    1: '[36° with 48](paper.md#ours-beside-theirs) †',
    2: '–',
    5: '0 of 5 blocks; 1 trial †',
  });
  const tables = await writeKeptTable('blocks of first-question/hundred, userCpuPercent', root);
  expect(tables).toContain('**crdts**: 0 of 5 blocks.');
});

test('blocks take the place of older runs from the first on, and are counted until they are enough', async () => {
  await keepBlocks(4, (block) => cell('yjs', 112, { cpu: 20 + block, isValid: block !== 3 }));
  const [, , people, , , cpu, blocks] = await rowOf(carriedMarkdown(root), /yjs/);
  expect([people, blocks]).toEqual(['112', '3/5']);
  // Of 21, 22 and 24: Student's t of two degrees of freedom, 4.303 · 1.528 / √3.
  expect(cpu).toBe('22 (19–26)°');
  expect(await rowOf(chooseMarkdown(root), /page’s CPU/)).toMatchObject({
    1: '[22° with 112](data/results.md#in-blocks)',
    5: '0–3 of 5 blocks',
  });
});

test('with all blocks there is no gap; cells that the campaign does not measure never have one', async () => {
  await keepBlocks(5, () => cell('yjs', 112));
  expect(await rowOf(carriedMarkdown(root), /yjs/)).toMatchObject({ 6: '5' });
  expect(await rowOf(chooseMarkdown(root), /most that were tried/)).toMatchObject({
    1: '[112](data/results.md#in-blocks)',
  });
  expect(await rowOf(chooseMarkdown(root), /server restarts/)).toMatchObject({
    1: '[nothing lost](data/resilience.md#the-server-restarts)',
    5: '1 trial',
  });
  const tables = (await writeKeptTable('blocks of first-question/hundred, userCpuPercent', root))!;
  expect(tables).toContain('**crdts**: 5 blocks:');
  expect(tables).toContain('5 of 5');
});

test('a sentence names one block, which others do not change', async () => {
  await keepBlocks(2, (block) => cell('yjs', 112, { cpu: 20 + block }));
  const places = await readPlaces(root);
  const [first] = (await keptNames(root)).filter((name) => experimentOf(name) === 'first-question-hundred-crdts');
  expect(resultOf(`${first} yjs userCpuPercent`, places)).toBe(21);
  expect(resultOf('first-question-hundred-crdts yjs userCpuPercent', places)).toBe(21.5);
});

test('latency is what a person waits, and the table says how long senders gather edits', async () => {
  await keepBlocks(3, () => ({ ...cell('yjs', 112), endToEndLessBatchMs: { p50: 36, p95: 60 } }));
  expect(await rowOf(carriedMarkdown(root), /yjs/)).toMatchObject({ 3: '1s', 4: '300 (300–300)°' });
});

test('latencies of a full machine are marked', async () => {
  await keepBlocks(1, () => ({ ...cell('yjs', 112), machineCpuPercent: 96 }));
  expect((await rowOf(carriedMarkdown(root), /yjs/))[4]).toBe('300!°');
});

test('a crowd that held in some blocks only did not hold', async () => {
  await keepBlocks(2, (block) => ({ ...cell('yjs', 112), fullyFunctional: block === 1 }));
  expect(await rowOf(carriedMarkdown(root), /yjs/)).toMatchObject({ 2: 'not 112' });
});

test('where blocks do not tell if a crowd held, it is asked', async () => {
  await keepBlocks(2, () => ({ ...cell('yjs', 112), fullyFunctional: null }));
  expect(await rowOf(carriedMarkdown(root), /yjs/)).toMatchObject({ 2: '112 ?' });
});

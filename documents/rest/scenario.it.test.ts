import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SCENARIOS } from '../../analysis/scenarios/catalogue.ts';
import { type RestExperiment, rest } from '../../harness/experiment/document-experiments.ts';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { resolveTrace } from '../../traces/store.ts';
import { measuringCommand, runMeasuringProcess } from '../measuring-process.ts';
import { writeEdits } from '../replay/edits.ts';
import type { RestTask } from './main.ts';
import { scenario } from './scenario.ts';

const CONTEXT = { frameworks: new Map(), say: () => {}, signal: new AbortController().signal };
const folder = folderOfEachTest();

function experimentOf(written: Record<string, unknown>): RestExperiment {
  return rest.written.parse({ name: 'test', scenario: 'rest', ...written });
}

const open = async (experiment: RestExperiment) =>
  scenario.open(experiment, { ...CONTEXT, folder: await mkdtemp(folder.in('run-')) });

/** @returns the lines that the trials of all cells wrote, by cell */
async function runAll(experiment: RestExperiment): Promise<RecordLine[][]> {
  const all: RecordLine[][] = [];
  const opened = await open(experiment);
  for (const of of await scenario.cells(experiment, CONTEXT)) {
    const lines: RecordLine[] = [];
    const directory = folder.in(String(all.length));
    await mkdir(directory, { recursive: true });
    const write = (some: RecordLine | RecordLine[]) => lines.push(...[some].flat());
    const measure = (command: readonly string[], limitMs: number) =>
      runMeasuringProcess({ command, limitMs, write, signal: CONTEXT.signal });
    await opened.runTrial(of, { trial: 1, seed: 1, directory, write, measure, signal: CONTEXT.signal });
    expect(await readdir(directory)).toEqual([]);
    all.push(lines);
  }
  return all;
}

const linesOf = <Type extends RecordLine['type']>(lines: readonly RecordLine[], type: Type) =>
  lines.filter((line): line is RecordOf<Type> => line.type === type);

test('each store and way has its cells, in the order of the file', async () => {
  const cells = await scenario.cells(experimentOf({ sizes: [10, 20], durable: ['no', 'yes'] }), CONTEXT);
  expect(cells).toHaveLength(3 * 4 * 2 * 2);
  expect(cells.slice(0, 3)).toEqual([
    { store: 'sqlite', way: 'rewrite', edits: 10, durable: 'no' },
    { store: 'sqlite', way: 'rewrite', edits: 10, durable: 'yes' },
    { store: 'sqlite', way: 'rewrite', edits: 20, durable: 'no' },
  ]);
});

test('a trial has every figure of the catalogue, and leaves nothing behind', async () => {
  const ways = ['rewrite', 'append', 'compact', 'decompose'];
  const trials = await runAll(experimentOf({ stores: 'sqlite', ways, sizes: 400, edits: 300, compactEvery: 150 }));
  for (const lines of trials) {
    const figures = linesOf(lines, 'figure');
    const measured = SCENARIOS.rest.figures.map(({ name }) => name).filter((name) => !name.startsWith('machineSpeed.'));
    expect(figures.map(({ figure }) => figure).sort()).toEqual(measured.sort());
    for (const { figure, value } of figures) expect(value, figure).toBeGreaterThan(0);
    const [curve] = linesOf(lines, 'curve');
    expect(curve!.x).toHaveLength(50);
    expect(curve!.y).toHaveLength(50);
  }
  // Three compactions of 150, though 300 edits are asked for.
  expect(trials.map((lines) => linesOf(lines, 'curve')[0]!.x.at(-1))).toEqual([700, 700, 850, 700]);
});

test('quantiles that too few edits were measured for are left out; syncing is another cell', async () => {
  const written = { stores: ['level', 'lmdb'], ways: 'append', sizes: 5, edits: 20, durable: 'yes' };
  for (const lines of await runAll(experimentOf(written))) {
    const names = linesOf(lines, 'figure').map(({ figure }) => figure);
    expect(names).toContain('persistMs.p50');
    expect(names).not.toContain('persistMs.p95');
    expect(names).toContain('persistMs.max');
  }
});

test('a trial that takes too long has failed, and leaves nothing behind', async () => {
  await expect(
    runAll(experimentOf({ stores: 'level', ways: 'rewrite', sizes: 5, limit: '1ms' })),
  ).rejects.toMatchObject({
    code: 'out-of-time',
  });
  expect((await readdir(folder.path, { recursive: true })).filter((path) => path.endsWith('store'))).toEqual([]);
});

test('versions are those of the store and of what makes the bytes', async () => {
  const opened = await open(experimentOf({ sizes: 5, edits: 5, compactEvery: 5 }));
  const of = { edits: 5, durable: 'no' } as const;
  expect(opened.versionOf({ store: 'level', way: 'append', ...of })).toMatch(/^3\.\d+\.\d+, yjs 13\.\d+\.\d+$/);
  expect(opened.versionOf({ store: 'sqlite', way: 'decompose', ...of })).toMatch(/^3\.\d+\.\d+, position-strings 2\./);
});

test('a trace that is too short is refused, with what to do', async () => {
  await expect(open(experimentOf({ sizes: 100_000 }))).rejects.toThrow(
    'the trace "synthetic" has 60,012 edits, but size 100000 needs 101,500, the measured ones among them: write smaller sizes, or take a longer one',
  );
});

test('a store that holds another text than it was given has failed', async () => {
  const edits = folder.in('edits');
  await writeEdits(edits, await resolveTrace('synthetic'), { atMost: 50 });
  const directory = await mkdtemp(folder.in('store-'));
  const task = {
    ...({ store: 'lmdb', way: 'decompose' } as const),
    ...{ durable: false, directory, edits, compactEvery: 5, size: 20, measured: 10 },
  };
  const lines: RecordLine[] = [];
  const run = (step: RestTask) =>
    runMeasuringProcess({
      command: measuringCommand(join(import.meta.dirname, 'main.ts'), step),
      ...{ limitMs: 20_000, write: (line) => lines.push(line), signal: CONTEXT.signal },
    });
  await run({ step: 'write', ...task });
  await run({ step: 'read', ...task, measured: 12 });
  const [failure] = linesOf(lines, 'failure');
  expect(failure).toMatchObject({ code: 'wrong-content', message: expect.stringMatching(/first at character \d+/) });
});

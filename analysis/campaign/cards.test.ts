import { expect, test } from 'vitest';
import type { ScenarioName } from '../../results/formats/documents.ts';
import { readSummary } from '../cell/cell-json.ts';
import { aboutCell } from '../cell/messages.ts';
import type { MeasuredRun } from '../scenarios/cell.ts';
import { cardsOf, cardTable, costsTable } from './cards.ts';
import type { Load } from './unit-costs.ts';

const ENVIRONMENT = { cores: 2, cpu: 'a CPU', memoryMiB: 2048, os: 'Linux', node: 'v24' };

type Written = Record<string, unknown>;

function run(scenario: ScenarioName, cells: readonly Written[], environment: object = ENVIRONMENT): MeasuredRun {
  const counts = { trials: 1, validTrials: 1, failedTrials: 0, verdict: 'valid', version: '1.2.3', tier: 'deployed' };
  const named = scenario === 'typing' ? {} : { scenario };
  return readSummary({
    ...named,
    ...{ experiment: `mine-${scenario}`, startedAt: '2026-11-27T01:02:03Z', environment },
    cells: cells.map((cell) => ({ framework: 'some', ...counts, ...cell })),
  } as unknown as Parameters<typeof readSummary>[0]);
}

/** At 6 keys a second, and 1 % idle: 20 µs of its own, 5 for each other who types, 2 for each reader. */
function typing(users: number, readers = 0): Written {
  const editsPerSecond = 6 * users;
  const serverCpuPercent = 1 + (editsPerSecond * (20 + 5 * (users - 1) + 2 * readers)) / 10_000;
  const mode = readers === 0 ? 'node' : `node+${readers}-readers`;
  return { mode, users, editsPerSecond, serverCpuPercent, serverIdleCpuPercent: 1 };
}

const TYPING = [...[2, 4, 8].map((users) => typing(users)), typing(4, 100), typing(4, 300)];

/** Its idle server holds 9 MiB more than it has at rest. */
function memory(edits: number, documents: number): Written {
  const [characters, documentMiB] = edits === 500 ? [1000, 0.1] : [11_000, 0.3];
  return { edits, documents, idleMiB: 59, openMiB: 50 + documents * documentMiB, connectionMiB: 0.02, characters };
}

const MEMORY = [20, 60, 100].flatMap((documents) => [memory(500, documents), memory(5000, documents)]);

/** One whose users open the document within so much CPU, and are back after some time if that is known. */
function block({
  cpuMs = 500,
  backMs = 3000 as number | null,
  openMs = 2000 as number | null,
  cells = MEMORY,
  typed = TYPING,
} = {}): MeasuredRun[] {
  const storm = { edits: 1000, users: 100 };
  return [
    run('typing', typed),
    run('storm', [
      { ...storm, way: 'open', serverCpuMs: cpuMs, allBackMs: openMs },
      { ...storm, way: 'drop', serverCpuMs: 1, allBackMs: backMs },
    ]),
    run('memory', cells),
  ];
}

const loads: Load[] = [];
function machineFor(load: Load) {
  loads.push(load);
  return { title: 'a machine', dollarsAMonth: 38, cpuShare: 0.26, memoryShare: 0.2 };
}

function replicatesOf(label: string, blocks: MeasuredRun[][]): (number | null)[] {
  const [card] = cardsOf(blocks, machineFor);
  return [...card!.costs.find((cost) => cost.label.startsWith(label))!.replicates];
}

test('unit costs are slopes: over users, readers and documents', () => {
  const blocks = [block(), block({ cpuMs: 1000, backMs: null }), block()];
  const first = (label: string) => replicatesOf(label, blocks)[0];
  expect(first('server CPU per update')).toBeCloseTo(20);
  expect(first('server CPU per update and other writer')).toBeCloseTo(5);
  expect(first('server CPU per update and reader')).toBeCloseTo(2);
  // 6 w (20 + 5 (w - 1)) = 1e6 by hand: w is 181.08.
  expect(replicatesOf('writers on one document per core', blocks)).toEqual([181, 181, 181]);
  expect(replicatesOf('joins a second and core', blocks)).toEqual([200, 100, 200]);
  expect(replicatesOf('100 dropped users', blocks)).toEqual([3, null, 3]);
  expect(first('an idle connection')).toBeCloseTo(20.48);
  expect(first('an open document of 500 edits')).toBeCloseTo(102.4);
  expect(first('an open document for each MiB')).toBeCloseTo((0.2 * 2 ** 20) / 10_000);
});

test('a machine is asked for by a thousand users, ten to a document', () => {
  loads.length = 0;
  cardsOf([block()], machineFor);
  // 1,000 · (20 + 9 · 5) µs; 100 of the longer documents, each with a connection, and 900 more.
  expect(loads[0]).toEqual({
    cores: expect.closeTo(0.065),
    idleMiB: 59,
    heldMiB: expect.closeTo(900 * 0.02 + 100 * 0.3),
  });
});

test('the machine and its dollars are for the mean of what the blocks ask for', () => {
  const typed = TYPING.map((cell) => ({ ...cell, editsPerSecond: Number(cell.editsPerSecond) / 2 }));
  const byCores = ({ cores }: Load) => ({
    ...machineFor({ cores, idleMiB: 0, heldMiB: 0 }),
    dollarsAMonth: cores < 0.1 ? 10 : 90,
  });
  const [card] = cardsOf([block(), block({ typed })], byCores);
  // 0.065 and 0.13 cores.
  expect(card!.costs.at(-1)).toMatchObject({ name: 'month', replicates: [10, 90], mean: 10 });
  expect(card!.machine!.dollarsAMonth).toBe(10);
});

test('joins are not told if not all came; what the machine spoilt did not give out', () => {
  expect(replicatesOf('joins a second and core', [block(), block({ openMs: null })])).toEqual([200, null]);
  const spoilt = {
    ...typing(16),
    validTrials: 0,
    verdict: 'invalid',
    messages: [aboutCell('late', 'decides', 'a busy machine')],
  };
  const [card] = cardsOf([block({ typed: [...TYPING, spoilt] })], machineFor);
  expect(card!.cautions).toEqual([expect.stringMatching(/^Not measured: typing.*16.*: a busy machine$/)]);
});

test('users who are sockets are among all: the last of them counts, and none who did not come', () => {
  const withSockets = (cells: readonly Written[]) => {
    const [typed, , documents] = block();
    return [typed!, run('storm', cells), documents!];
  };
  const storm = { edits: 1000, users: 100, socketUsers: 60, allBackMs: 2000 };
  const open = { ...storm, way: 'open', serverCpuMs: 500 };
  const blocks = [
    withSockets([
      { ...open, allSocketsBackMs: 5000 },
      { ...storm, way: 'drop', allSocketsBackMs: 1000 },
    ]),
    withSockets([open, { ...storm, way: 'drop' }]),
  ];
  expect(replicatesOf('100 users at once', blocks)).toEqual([5, null]);
  expect(replicatesOf('100 dropped users', blocks)).toEqual([2, null]);
  expect(replicatesOf('joins a second and core', blocks)).toEqual([200, null]);
});

test('of one number of documents, what the server grew by since it was idle is all that is known', () => {
  const cells = [{ ...memory(500, 20), openMiB: 61 }];
  expect(replicatesOf('an open document of 500 edits', [block({ cells })])[0]).toBeCloseTo(102.4);
});

test('a cell that does not know what an idle server takes tells nothing of an update', () => {
  const cells = TYPING.map((cell) => ({ ...cell, serverIdleCpuPercent: null }));
  const blocks = [block(), [run('typing', cells), ...block().slice(1)]];
  expect(replicatesOf('server CPU per update', blocks)).toEqual([expect.closeTo(20), null]);
});

test('what is not known is none, and a card says so', () => {
  const broken = {
    ...memory(500, 20),
    validTrials: 0,
    verdict: 'failed',
    messages: [aboutCell('slow', 'decides', 'too slow')],
  };
  const blocks = [1, 2, 3].map(() => block({ cells: [broken] }));
  const [card] = cardsOf(blocks, machineFor);
  const { title, rows, notes } = cardTable(card!, './scriptorium capacity some');
  expect(title).toBe('Capacity: some 1.2.3');
  expect(rows).toContainEqual(['server CPU per update', '20.0', '20.0 to 20.0', 'µs', '3']);
  expect(rows).toContainEqual(['server without documents', '–', '–', 'MiB', '0']);
  expect(notes).toContain('The machine for it is not known, since a cost is not.');
  expect(notes).toContain('Gave out: memory: too slow');
  expect(notes.join('\n')).toMatch(/Measured on 2026-11-27; 2 cores of a CPU.*\nAgain: .\/scriptorium capacity some$/s);
});

test('blocks of a machine of the same name, but another speed, are left out', () => {
  const at = (speed: number) =>
    block({ typed: TYPING.map((cell) => ({ ...cell, machineSpeed: { oneCore: speed, allCores: speed } })) });
  const [card] = cardsOf([at(300), at(600), at(310)], machineFor);
  expect(card!.measured).toHaveLength(6);
  expect(card!.cautions).toEqual(['Left out: 1 block of another machine or version']);
});

test('a cost below nothing is none: the server’s memory comes and goes by itself', () => {
  const cells = [{ ...memory(500, 20), openMiB: 55 }];
  const [card] = cardsOf([block({ cells })], machineFor);
  const label = 'an open document of 500 edits, with one connection';
  const { rows, notes } = cardTable(card!);
  expect(rows.find(([what]) => what === label)!.slice(0, 2)).toEqual([label, '–']);
  expect(notes[0]).toMatch(/^Too small to measure here: "an open document of 500 edits, with one connection"; /);
});

test('frameworks stand beside each other and beside what others published; a campaign of typing alone has no cards', () => {
  const other = block().map(({ scenario, cells, ...more }) => {
    const renamed = cells.map((cell) => ({ ...cell, parameters: { ...cell.parameters, framework: 'other' } }));
    return { ...more, scenario, cells: scenario === 'memory' ? [] : renamed };
  });
  const { columns, rows } = costsTable(cardsOf([block(), other], machineFor));
  expect(columns.map(({ heading }) => heading)).toEqual([
    ...['what', 'unit', 'some 1.2.3', 'other 1.2.3', 'y/hub 0.6.0, published'],
  ]);
  expect(rows[2]).toEqual(['server CPU per update and reader', 'µs', '2.00', '2.00', expect.stringMatching(/^14/)]);
  expect(rows.find(([what]) => what === 'server without documents')!.slice(2)).toEqual(['59.0', '–', '–']);
  const typingAlone = [run('typing', TYPING)];
  expect(cardsOf([typingAlone], machineFor)).toEqual([]);
  // Nor are blocks of such a campaign on the card of another.
  expect(cardsOf([typingAlone, block()], machineFor)[0]!.measured).toHaveLength(3);
});

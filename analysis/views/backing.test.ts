import { expect } from 'vitest';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { test } from '../test-data/at-once.ts';
import { at, type HandMadeTrial, ownSigils, sent, shown, typing } from '../test-data/hand-made-trial.ts';
import { askTrial } from '../test-data/opened-together.ts';
import { figuresFrom, user } from '../test-data/trial-folder.ts';

const UNKNOWN = { cpuMs: null, memoryBytes: null, writtenBytes: null, serverWrittenBytes: null, sizeBytes: null };
const store = (atMs: number, told: Partial<RecordOf<'store'>>): RecordLine => ({
  type: 'store',
  ...UNKNOWN,
  ...told,
  atMs: at(atMs),
});
const servers = (atMs: number, cpuMs: (number | null)[], brokerCpuMs: number | null): RecordLine => ({
  ...{ type: 'servers', atMs: at(atMs), cpuMs, brokerCpuMs },
});
const typed = (atMs: number, performed: number, insertedCharacters?: number): RecordLine => ({
  ...(typing(atMs, { offered: performed, performed }) as RecordOf<'typing'>),
  insertedCharacters,
});
/** 40 characters in the warm-up, 20 by ten edits in the window. */
const typist = user(typed(5000, 20, 40), typed(15_000, 10, 20));
const columnsOf = async (trial: HandMadeTrial) => (await askTrial(trial, figuresFrom)).columns;

test('golden: a store that is a part of the server writes what the server writes', async () => {
  // 800 B within 8 s of the window's 10: 1000 B, for 10 edits and 20 characters. The files grew by 600 B for 60 characters, from 10,000.
  const server = [
    store(-1000, { sizeBytes: 10_000 }),
    store(1000, { sizeBytes: 10_200 }),
    store(11_000, { serverWrittenBytes: 50, sizeBytes: 10_400 }),
    store(19_000, { serverWrittenBytes: 850 }),
    store(25_000, { serverWrittenBytes: 9000, sizeBytes: 10_600 }),
  ];
  expect(await columnsOf({ users: [typist], server, backing: { store: 'sqlite' } })).toMatchObject({
    serverWrittenBytesPerEdit: 100,
    writtenBytesPerCharacter: 50,
    storeGrowthBytesPerCharacter: 10,
    storeSizeKiB: 10_600 / 2 ** 10,
    storeCpuPercent: null,
    storeMemoryMiB: null,
    storeWrittenBytesPerEdit: null,
    busiestServerCpuPercent: null,
  });
});

test('golden: a store with a program, and a server whose bytes fall for a moment, as its sockets had more queued', async () => {
  // CPU 80 ms within 8 s. Written 800 B: 1000 B in the window, and 1000 by the server.
  const server = [
    store(11_000, { cpuMs: 0, writtenBytes: 0, serverWrittenBytes: 0, memoryBytes: 2 * 2 ** 20 }),
    store(15_000, { cpuMs: 40, writtenBytes: 400 }),
    store(15_500, { serverWrittenBytes: 500 }),
    store(16_000, { cpuMs: 50, writtenBytes: 500, serverWrittenBytes: 300 }),
    store(19_000, { cpuMs: 80, writtenBytes: 800, serverWrittenBytes: 800, memoryBytes: 4 * 2 ** 20 }),
  ];
  expect(await columnsOf({ users: [typist], server, backing: { store: 'postgres' } })).toMatchObject({
    storeCpuPercent: 1,
    storeMemoryMiB: 3,
    storeWrittenBytesPerEdit: 100,
    serverWrittenBytesPerEdit: 100,
    writtenBytesPerCharacter: 100,
    storeGrowthBytesPerCharacter: null,
  });
});

test('what nobody tells is unknown, and never less: bytes of a program, characters of a played crowd', async () => {
  const server = [
    store(11_000, { cpuMs: 0, serverWrittenBytes: 0, sizeBytes: 100 }),
    store(19_000, { cpuMs: 8, serverWrittenBytes: 80, sizeBytes: 200 }),
  ];
  const ofStore = [store(11_000, { cpuMs: 0, writtenBytes: 0 }), store(19_000, { cpuMs: 8, writtenBytes: 800 })];
  const told = (users: HandMadeTrial['users'], lines: RecordLine[]) =>
    columnsOf({ users, server: lines, backing: { store: 'redis' } });
  const queued = [store(11_000, { serverWrittenBytes: 0 }), store(19_000, { serverWrittenBytes: -80 })];
  const [ofServer, ofSockets, ofProgram, played] = await Promise.all([
    told([typist], server),
    told([typist], queued),
    told([typist], ofStore),
    told([typist, user(typed(15_000, 10))], server),
  ]);
  expect(ofServer).toMatchObject({ serverWrittenBytesPerEdit: 10, writtenBytesPerCharacter: null });
  expect(ofSockets).toMatchObject({ serverWrittenBytesPerEdit: 0 });
  // A server beside a program keeps no files.
  expect(ofProgram).toMatchObject({ serverWrittenBytesPerEdit: null, writtenBytesPerCharacter: 50 });
  expect(played).toMatchObject({ serverWrittenBytesPerEdit: 5, storeGrowthBytesPerCharacter: null });
});

/** User 0 types a sigil; with two servers user 2 is at the same one, and user 1 at the other. */
const SIGIL = '00@a0';
const screens = [
  user(sent(SIGIL, 12_000), shown(SIGIL, 12_010), ownSigils({ [SIGIL]: null }), typed(12_500, 5, 5)),
  user(shown(SIGIL, 12_100)),
  user(shown(SIGIL, 12_040)),
];

test('golden: latencies at one server and between servers, and the CPU of the busiest', async () => {
  const server = [servers(11_000, [10, 10], 0), servers(15_000, [40, 15], 8), servers(19_000, [70, 25], 16)];
  const { columns, samples } = await askTrial({ users: screens, server, backing: { servers: 2 } }, figuresFrom);
  expect([...samples.endToEndSameServerMs!]).toEqual([40]);
  expect([...samples.endToEndOtherServerMs!]).toEqual([100]);
  // 60 ms and 15: 80 % of both.
  expect(columns).toMatchObject({
    busiestServerCpuPercent: 80,
    brokerCpuPercent: 0.2,
    sigilsSeenSameServer: 1,
    sigilsSeenOtherServer: 1,
    storeSizeKiB: null,
  });
});

test('all users at one server, and a server of which nobody tells', async () => {
  const server = [servers(11_000, [10, null], null), servers(19_000, [70, null], null)];
  const backing = { servers: 2, affinity: 'document' } as const;
  const { columns, samples } = await askTrial({ users: screens, server, backing }, figuresFrom);
  expect([...samples.endToEndSameServerMs!]).toEqual([40, 100]);
  expect(samples.endToEndOtherServerMs).toHaveLength(0);
  expect(columns).toMatchObject({ busiestServerCpuPercent: null, brokerCpuPercent: null });
});

test('a trial with one server in memory has none of these', async () => {
  const { columns, samples } = await askTrial({ users: screens, server: [] }, figuresFrom);
  expect(columns).toMatchObject({ storeSizeKiB: null, busiestServerCpuPercent: null, sigilsSeenSameServer: null });
  expect(samples.endToEndSameServerMs).toHaveLength(0);
});

test('golden: series that a server of somebody else’s tells, on average and per second', async () => {
  const told = (atMs: number, documents: number, asked: number): RecordLine => {
    const counter = { name: 'asked_total', kind: 'counter', value: asked } as const;
    return {
      type: 'server-series',
      atMs: at(atMs),
      series: [{ name: 'documents', kind: 'gauge', value: documents }, counter],
    };
  };
  // 10 and, after it began anew, 40 within 8 s; what is outside the window counts for nothing.
  const server = [told(5000, 90, 0), told(11_000, 3, 20), told(15_000, 5, 30), told(16_000, 4, 0), told(19_000, 4, 40)];
  expect(await columnsOf({ users: [typist], server, backing: { document: 'd' } })).toMatchObject({
    'serverSeries.documents': 4,
    'serverSeries.asked_total/s': 6.25,
  });
  expect(Object.keys(await columnsOf({ users: [typist], server: [] })).join()).not.toContain('serverSeries');
});

import { join } from 'node:path';
import { expect } from 'vitest';
import { type RecordLine, type RecordOf, recordSchema } from '../../results/formats/records.ts';
import { test } from '../test-data/at-once.ts';
import {
  at,
  NO_EDITS,
  network,
  resources,
  sent,
  settled,
  shown,
  typing,
  writeHandMadeTrial,
} from '../test-data/hand-made-trial.ts';
import { askTrial } from '../test-data/opened-together.ts';
import {
  figuresFrom,
  figuresIn,
  figuresOf,
  rowsOf,
  user,
  userOff,
  useTrialFolders,
} from '../test-data/trial-folder.ts';

const newFolder = useTrialFolders();

test('golden: throughput counts the lines whose middle is in [10,000, 20,000), and leaves watchers out', async () => {
  // In the window: user 0 offered 6 + 6, performed 6 + 3; user 1 offered 6, performed 6. 15 of 18; the worst 9 of 12.
  const figures = await figuresOf([
    user(
      typing(9_999, { offered: 6, performed: 0, lagMs: [9] }), // most of its second was before the window
      typing(10_000, { offered: 6, performed: 6, lagMs: [3, 1] }),
      typing(19_999, { offered: 6, performed: 3, lagMs: [2] }),
      typing(20_000, { offered: 6, performed: 0, lagMs: [9] }), // belongs to what follows the window
    ),
    userOff(100, typing(14_900, { offered: 6, performed: 6 })),
    user(typing(15_000, { offered: 0, performed: 0 })),
  ]);
  expect(figures.columns).toMatchObject({ offered: 18, performed: 15, worstUserThroughputPercent: 75 });
  expect([...figures.samples.scheduleLagMs!]).toEqual([1, 2, 3]);
});

test('golden: what users put in, and the largest edit; unknown where a record does not tell', async () => {
  const line = (atMs: number, insertedCharacters: number, largestEdit: number): RecordLine => ({
    ...(typing(atMs, { offered: 6, performed: 6 }) as RecordOf<'typing'>),
    ...{ insertedCharacters, largestEdit },
  });
  // 210 characters within 10 s: 21 a second; 10: 1 a second. What is before the window counts nowhere.
  const users = [user(line(9_000, 5000, 5000), line(12_000, 10, 3), line(13_000, 200, 190)), user(line(12_000, 10, 2))];
  const [{ columns }, older] = await Promise.all([
    figuresOf(users),
    figuresOf(users.map(() => user(typing(12_000, { offered: 6, performed: 6 })))),
  ]);
  expect(columns).toMatchObject({ insertedCharactersPerSecond: 11, largestEditCharacters: 190 });
  expect(older.columns).toMatchObject({ insertedCharactersPerSecond: null, largestEditCharacters: null });
});

test('golden: what the server takes before anyone types; unknown where its samples lie close together', async () => {
  const cpu = (atMs: number, cpuMs: number) => resources('server', atMs, { cpuMs, memoryBytes: null });
  const idle = async (...server: RecordLine[]) => {
    const phases = { idle: 7_000, 'warm-up': 10_000, measure: 10_000, settle: 20_000, done: 30_000 } as const;
    return (await askTrial({ users: [user()], server, phases }, figuresFrom)).columns.serverIdleCpuPercent;
  };
  const found = await Promise.all([
    // 10 ms within 2 s: 0.5 %. What is before and after is not idle.
    idle(cpu(6_500, 0), cpu(7_500, 400), cpu(8_500, 404), cpu(9_500, 410), cpu(11_000, 900)),
    idle(cpu(7_500, 400), cpu(8_500, 404), cpu(11_000, 900)),
  ]);
  expect(found).toEqual([0.5, null]);
});

test('golden: CPU, memory, network and documents', async () => {
  const MIB = 2 ** 20;
  // Server, in the window: 100 ms of CPU within 5 s: 2 %, and 200 ms of waiting for it: 4 %. Memory
  // climbs from 25 to 30 MiB in 1 s, to 50 in 5 s, and stays for 4 s: (27.5 + 5 * 40 + 4 * 50) / 10. Bytes: 10 KiB and 5 KiB within 5 s.
  const server = [
    resources('server', 9_000, { cpuMs: 0, waitedMs: 0, memoryBytes: 20 * MIB, users: 2 }),
    resources('server', 11_000, { cpuMs: 700, waitedMs: 300, memoryBytes: 30 * MIB, users: 2 }),
    resources('server', 16_000, { cpuMs: 800, waitedMs: 500, memoryBytes: 50 * MIB, users: 2 }),
    network(11_000, 1024, 0),
    network(16_000, 11 * 1024, 5 * 1024),
  ];
  // One Chrome serves both users: 4,000 ms within 8 s is 50 %, 25 % each; memory 300 MiB, 150 each.
  // Drivers: 80 ms within 8 s is 1 %, and 240 ms is 3 %: 4 % together. Over the window of 10 s that is 400 ms, for
  // 40 + 40 edits: 5 ms each; Chrome's are 5,000 ms, for 80 edits at one other user each: 62.5. The machine: 8,000 ms within 8 s on 4 cores is 25 %.
  // Users send 1 and 3 KiB/s and receive 2 and 2, within 10 s 40 KiB each way: 512 B for each of the 80 edits, of which
  // every one is a remote edit at one other user.
  const figures = await figuresOf(
    [
      user(
        typing(15_000, { offered: 40, performed: 40 }),
        resources('chrome', 11_000, { cpuMs: 1000, memoryBytes: null, users: 2 }),
        resources('chrome', 19_000, { cpuMs: 5000, memoryBytes: 300 * MIB, users: 2 }),
        resources('driver', 11_000, { cpuMs: 0, memoryBytes: MIB }),
        resources('driver', 19_000, { cpuMs: 80, memoryBytes: MIB }),
        resources('machine', 11_000, { cpuMs: 0, memoryBytes: null, cores: 4 }),
        resources('machine', 19_000, { cpuMs: 8000, memoryBytes: null, cores: 4 }),
        network(11_000, 0, 0),
        network(19_000, 8 * 1024, 16 * 1024),
        settled({ characters: 100, savedStateBytes: 2048, quillStateBytes: 1024 }),
      ),
      user(
        typing(15_000, { offered: 40, performed: 40 }),
        resources('driver', 11_000, { cpuMs: 0, memoryBytes: MIB }),
        resources('driver', 19_000, { cpuMs: 240, memoryBytes: MIB }),
        network(11_000, 0, 0),
        network(19_000, 24 * 1024, 16 * 1024),
        settled({ characters: 100, savedStateBytes: 4096, quillStateBytes: 1024 }),
      ),
    ],
    server,
  );
  expect(figures.columns).toMatchObject({
    serverCpuPercent: 2,
    serverWaitPercent: 4,
    serverMemoryMiB: 42.75,
    userCpuPercent: 25,
    userCpuMsPerRemoteEdit: 62.5,
    userMemoryMiB: 150,
    driverCpuPercent: 4,
    driverCpuMsPerEdit: 5,
    machineCpuPercent: 25,
  });
  expect(figures.columns).toMatchObject({
    userSentKiBps: 2,
    userReceivedKiBps: 2,
    userSentBytesPerEdit: 512,
    userReceivedBytesPerEdit: 512,
    serverSentKiBps: 2,
    serverReceivedKiBps: 1,
  });
  expect(figures.columns).toMatchObject({ savedStateKiB: 3, quillStateKiB: 1, documentCharacters: 100 });
});

test('what was not measured is null, not 0', async () => {
  const figures = await figuresOf([user(resources('chrome', 11_000, { cpuMs: 5, memoryBytes: null })), user()]);
  const counts = ['offered', 'performed', 'sent', 'broken', 'sigilsSeen', 'expected', 'arrived'];
  const filters = ['neverSent', 'beforeSent', 'brokenWhileTyped', 'brokenLater', 'repeated', 'outOfOrder'];
  const measured = Object.entries(figures.columns).filter(([, value]) => value !== null);
  expect(measured.map(([name]) => name)).toEqual([...counts, ...filters, 'clockErrorMs']);
  expect(figures.columns).toMatchObject({ offered: 0, performed: 0, worstUserThroughputPercent: null });
});

test('the driver’s CPU is unknown where one driver is', async () => {
  const driver = [11_000, 19_000].map((ms) => resources('driver', ms, { cpuMs: ms, memoryBytes: null }));
  expect((await figuresOf([user(...driver), user()])).columns.driverCpuPercent).toBeNull();
});

test('Chrome’s CPU and memory are unknown where one host’s are, in the window and over time', async () => {
  const chrome = (memoryBytes: number | null) =>
    [11_000, 19_000].map((ms) => resources('chrome', ms, { cpuMs: ms / 4, memoryBytes }));
  // 2,000 ms within 8 s.
  const beside = (...lines: RecordLine[]) => figuresOf([user(...chrome(2 ** 20)), user(...lines)]);
  const [all, some, one] = await Promise.all([beside(...chrome(2 ** 20)), beside(...chrome(null)), beside()]);
  expect(all.columns).toMatchObject({ userCpuPercent: 25, userMemoryMiB: 1 });
  expect(all.buckets[1]!.columns).toMatchObject({ userCpuPercent: 25, userMemoryMiB: 1 });
  expect(some.columns).toMatchObject({ userCpuPercent: 25, userMemoryMiB: null });
  expect(one.columns).toMatchObject({ userCpuPercent: null, userMemoryMiB: null });
  expect(one.buckets[1]!.columns).toMatchObject({ userCpuPercent: null, userMemoryMiB: null });
});

test('a rate is unknown where its samples span under 0.4 of the window of 10 s', async () => {
  const server = (toMs: number) => [
    resources('server', 10_500, { cpuMs: 0, memoryBytes: 2 ** 20 }),
    resources('server', toMs, { cpuMs: 400, memoryBytes: 2 ** 20 }),
    network(10_500, 0, 0),
    network(toMs, 4096, 4096),
  ];
  const [enough, tooFew] = await Promise.all([
    figuresOf([user()], server(14_500)),
    figuresOf([user()], server(14_499)),
  ]);
  expect(enough.columns).toMatchObject({ serverCpuPercent: 10, serverMemoryMiB: 1 });
  expect(enough.columns).toMatchObject({ serverSentKiBps: 1, serverReceivedKiBps: 1 });
  expect(tooFew.columns).toMatchObject({ serverCpuPercent: null, serverMemoryMiB: 1 });
  expect(tooFew.columns).toMatchObject({ serverSentKiBps: null, serverReceivedKiBps: null });
});

test('golden: machines count once each, however many processes report them, in the window and over time', async () => {
  // Host a: 10 % and 30 %; host b: 80 %. (20 + 80) / 2.
  const machine = (host: string, percent: number) =>
    [11_000, 19_000].map((ms) => ({
      ...resources('machine', ms, { cpuMs: ((ms - 11_000) * percent) / 100, memoryBytes: null, cores: 1 }),
      host,
    }));
  const figures = await figuresOf([user(...machine('a', 10)), user(...machine('a', 30)), user(...machine('b', 80))]);
  expect(figures.columns.machineCpuPercent).toBeCloseTo(50, 9);
  expect(figures.buckets[1]!.columns.machineCpuPercent).toBe(50);
});

test('records that no query can work on are refused by the name of their trial', async () => {
  // Each count is one that the schema allows; their sum is beyond any 32-bit integer.
  const much = typing(15_000, { offered: 2_000_000_000, performed: 0 });
  const directory = await newFolder();
  await writeHandMadeTrial(join(directory, 'x-1'), { users: [user(much, much), user()] });
  await expect(figuresIn(join(directory, 'x-1'))).rejects.toMatchObject({
    ...{ name: 'UserError', exitCode: 2 },
    message: expect.stringMatching(/^the records of x-1 cannot be worked on: /),
  });
});

test('bytes per edit are unknown where one user’s bytes are', async () => {
  const typist = (...lines: RecordLine[]) => user(typing(15_000, { offered: 40, performed: 40 }), ...lines);
  const { columns: used } = await figuresOf([typist(network(11_000, 0, 0), network(19_000, 8192, 8192)), typist()]);
  expect(used).toMatchObject({ userSentKiBps: 1, userSentBytesPerEdit: null, userReceivedBytesPerEdit: null });
});

test('a warm-up that takes no time leaves the measured window whole', async () => {
  const phases = { measure: 10_000, 'warm-up': 10_000, settle: 20_000, done: 30_000 };
  await askTrial({ users: [user(typing(15_000, { offered: 10, performed: 9 })), user()], phases }, async (open) => {
    expect(await open.records.rows('SELECT fromMs, toMs, typingFromMs FROM windows')).toEqual([
      { fromMs: at(10_000), toMs: at(20_000), typingFromMs: at(10_000) },
    ]);
    expect(await figuresFrom(open)).toMatchObject({ columns: { offered: 10, performed: 9 } });
  });
});

test('a line of every type that the schema knows is none, and one of another type is', async () => {
  const lines = [
    sent('0000@', 12_000),
    shown('0000@', 12_100),
    { type: 'sigil-changed', sigil: '0000@', change: 'deleted', dueMs: at(1), sentMs: at(1) },
    { type: 'sigil-change-shown', sigil: '0000@', change: 'deleted', shownMs: at(1) },
    typing(15_000, { offered: 1, performed: 1 }),
    network(15_000, 1, 1),
    resources('chrome', 15_000, { cpuMs: 1, memoryBytes: null }),
    settled({ characters: 1, savedStateBytes: 1, quillStateBytes: 1 }),
    { type: 'long-task', atMs: at(1), durationMs: 60 },
    { type: 'machine-speed', atMs: at(1), oneCore: 300, allCores: 300 },
    { type: 'document', atMs: at(1), characters: 1 },
    { type: 'account', atMs: at(1), ...NO_EDITS },
    { type: 'own-sigils', atMs: at(1), sigils: [] },
    { type: 'cursors-seen', atMs: at(1), others: 1 },
    { type: 'copies', atMs: at(1), savedDigest: null, lateDigest: null, lateProblem: null },
    { type: 'convergence', atMs: at(1), proof: 'reached' },
    { type: 'fault', atMs: at(1), message: 'm' },
    { type: 'reconnected', atMs: at(1) },
    { type: 'connection', atMs: at(1), state: 'lost' },
    { type: 'cursor', atMs: at(1), movedBy: -3 },
    { type: 'asked-fault', fault: 0, kind: 'offline', beganMs: at(1), endedMs: null, users: [0] },
    { type: 'key-latency', atMs: at(1), keys: 2, slowMs: [24], slowInteractionMs: [24] },
    { type: 'loop-delay', atMs: at(1), delays: [[3, 0.5]] },
    { type: 'delay-line', atMs: at(1), delays: [[3, -0.125]] },
    { type: 'withheld', atMs: at(1), cores: 2, stealMs: null, throttledMs: null },
    {
      ...({ type: 'compression', atMs: at(1), sentBytes: 2, deflatedSentBytes: 1 } as const),
      ...{ receivedBytes: 2, deflatedReceivedBytes: 1 },
    },
    { type: 'text-samples', atMs: at(1), samples: [[at(1), 1, 1]] },
    { type: 'page-memory', atMs: at(1), heapBytes: 1 },
    { type: 'page-errors', atMs: at(1), errors: 1, message: 'm' },
    { type: 'played', atMs: at(1), lateMs: [0.5], receivedBytes: 1, receivedMessages: 1 },
    { type: 'readers', atMs: at(1), readers: 1, receivedBytes: 1, receivedMessages: 1, leastBytes: 1 },
    {
      ...{ type: 'store', atMs: at(1), cpuMs: null, memoryBytes: null, writtenBytes: null },
      serverWrittenBytes: 1,
      sizeBytes: 1,
    },
    { type: 'servers', atMs: at(1), cpuMs: [1, null], brokerCpuMs: null },
    { type: 'server-series', atMs: at(1), series: [{ name: 'documents', kind: 'gauge', value: 1 }] },
    { type: 'replay', atMs: at(1), modelDigest: null, problem: 'p' },
    {
      ...({ type: 'subject', schemaVersion: 2, scenario: 'replay', version: '1', atMs: at(1) } as const),
      of: { engine: 'x', repeat: 1 },
    },
    { type: 'figure', figure: 'applyMs', value: 1 },
    { type: 'curve', curve: 'editMicroseconds', x: [1], y: [0.5] },
    { type: 'note', code: 'c', message: 'm' },
    { type: 'failure', code: 'c', message: 'm' },
    { type: 'done', atMs: at(1) },
    {
      ...({ type: 'surroundings', atMs: at(1), wallMs: at(1), uptimeMs: 1, commit: null, changed: null } as const),
      ...{ sources: 's', isCodeOfRun: true, otherRuns: [1] },
    },
  ] satisfies RecordLine[];
  const fromFixture = ['process', 'clock', 'trial', 'phase'];
  const known = recordSchema.options.map(({ shape }) => shape.type.value);
  expect(new Set([...fromFixture, ...lines.map(({ type }) => type)])).toEqual(new Set(known));
  const surprise = { type: 'surprise' } as unknown as RecordLine;
  const [none, one] = await Promise.all(
    [lines, [surprise]].map((each) => rowsOf([user(...each)], 'FROM malformed_lines')),
  );
  expect(none).toEqual([]);
  expect(one).toMatchObject([{ type: 'surprise', malformed: 1 }]);
});

test('a field of another type than the schema has is none', async () => {
  const odd = [
    { type: 'document', atMs: at(1), characters: 'many' },
    { type: 'long-task', atMs: 'soon', durationMs: 60 },
    { type: 'sigil-shown', sigil: 'abcde', shownMs: 'later' },
  ] as unknown as RecordLine[];
  expect(await rowsOf([user(...odd)], 'SELECT type, malformed FROM malformed_lines ORDER BY 1')).toEqual(
    ['document', 'long-task', 'sigil-shown'].map((type) => ({ type, malformed: 1 })),
  );
});

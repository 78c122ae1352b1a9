/** CPU, memory and traffic of processes, as the views tell them. */
import { expect } from 'vitest';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { figureNamed } from '../figures/catalogue.ts';
import { longUnit } from '../figures/figure.ts';
import { test } from '../test-data/at-once.ts';
import { at, network, resources, typing } from '../test-data/hand-made-trial.ts';
import { judged, settled, soundTrial, user as soundUser } from '../test-data/sound-trial.ts';
import { figuresOf, user } from '../test-data/trial-folder.ts';

const userOf = (...lines: RecordLine[]) => soundUser(settled, ...lines);

const memory = (heapMiB: number): RecordLine => ({
  type: 'page-memory',
  atMs: at(25_000),
  heapBytes: heapMiB * 2 ** 20,
});

test('golden: the server’s memory at most is that of all its processes at once, in the window', async () => {
  const server = (ms: number, ...mibs: number[]) =>
    mibs.map((mib, host) => ({
      ...(resources('server', ms, { cpuMs: 0, memoryBytes: mib * 2 ** 20 }) as RecordOf<'resources'>),
      host: `server-${host}`,
    }));
  const read = [server(9000, 400, 0), server(11_000, 40, 25), server(14_000, 50, 10), server(21_000, 300, 0)].flat();
  const found = await Promise.all([figuresOf([user()], read), figuresOf([user()])]);
  expect(found.map(({ columns }) => columns.serverPeakMemoryMiB)).toEqual([65, null]);
});

test('golden: a user’s memory, of readings that all lie in the window, is as much the last one’s as the first one’s', async () => {
  const chrome = (...mibs: number[]) =>
    mibs.map((mib, index) => resources('chrome', 12_500 + 2500 * index, { cpuMs: 0, memoryBytes: mib * 2 ** 20 }));
  // As at the nearest reading outside of them: (2.5 × 100 + 2.5 × 110 + 2.5 × 130 + 2.5 × 140) / 10.
  const found = await Promise.all([
    figuresOf([user(...chrome(100, 120, 140))]),
    figuresOf([user(...chrome(140, 120, 100))]),
  ]);
  expect(found.map(({ columns }) => columns.userMemoryMiB)).toEqual([120, 120]);
});

test('golden: page memory is the mean of all users, and not known where one lacks it', async () => {
  const found = await Promise.all([
    figuresOf([user(memory(10)), user(memory(20))]),
    figuresOf([user(memory(10)), user()]),
  ]);
  expect(found.map(({ columns }) => columns.userHeapMiB)).toEqual([15, null]);
});

test('golden: the heap’s growth is that since before typing, and a fast one is noted', async () => {
  const before = (heapMiB: number, atMs = -5000) => ({ ...memory(heapMiB), atMs: at(atMs) }) as RecordLine;
  const [{ columns }, late, { notes }] = await Promise.all([
    figuresOf([user(before(8), memory(10)), user(before(16), memory(20))]),
    figuresOf([user(before(8, -4000), memory(10)), user(before(16), memory(20))]),
    judged(soundTrial({ users: [userOf(before(8), memory(10)), userOf(before(17.5), memory(20))] })),
  ]);
  expect(columns).toMatchObject({ userHeapMiB: 15, userHeapMiBPerMinute: 6 });
  expect(late.columns).toMatchObject({ userHeapMiB: 15, userHeapMiBPerMinute: null });
  expect(notes).toEqual([{ code: 'page-grows', message: expect.stringMatching(/^user-001 \(5\.0 MiB a minute\): /) }]);
});

test('golden: memories of WebAssembly likewise, and not known where a page does not tell', async () => {
  const both = (wasmMiB: number): RecordLine => ({
    ...(memory(10) as RecordOf<'page-memory'>),
    wasmBytes: wasmMiB * 2 ** 20,
  });
  const [all, one] = await Promise.all([
    figuresOf([user(both(3)), user(both(5))]),
    figuresOf([user(both(3)), user(memory(10))]),
  ]);
  expect(all.columns).toMatchObject({ userHeapMiB: 10, userWasmMiB: 4 });
  expect(one.columns).toMatchObject({ userWasmMiB: null });
});

test('golden: compressed bytes per edit are all bytes by what is left of the messages sampled', async () => {
  const traffic = [network(10_000, 0, 0), network(20_000, 5000, 8000)];
  const typed = typing(12_000, { offered: 100, performed: 100 });
  const sampled: RecordLine = {
    ...({ type: 'compression', atMs: at(25_000), sentBytes: 1000, deflatedSentBytes: 800 } as const),
    ...{ receivedBytes: 1000, deflatedReceivedBytes: 250 },
  };
  const [{ columns }, older] = await Promise.all([
    figuresOf([user(typed, ...traffic, sampled), user(typed, ...traffic)]),
    figuresOf([user(typed, ...traffic), user(typed, ...traffic)]),
  ]);
  // 10,000 bytes for 200 own edits, 16,000 for 200 of the other.
  expect(columns.userSentBytesPerEdit).toBeCloseTo(50, 6);
  expect(columns.userSentDeflatedBytesPerEdit).toBeCloseTo(40, 6);
  expect(columns.userReceivedDeflatedBytesPerEdit).toBeCloseTo(20, 6);
  expect(older.columns.userSentDeflatedBytesPerEdit).toBe(null);
});

test('golden: the server’s memory per 1,000 edits, and its loop’s delays, in the window alone', async () => {
  const server = Array.from({ length: 20 }, (_, second): RecordLine[] => [
    resources('server', second * 1000 + 1, { cpuMs: 0, memoryBytes: second * 2048 }),
    {
      type: 'loop-delay',
      atMs: at(second * 1000 + 1),
      delays:
        second < 10
          ? [[1, 99]]
          : [
              [9, 0.5],
              [1, 7],
            ],
    },
  ]).flat();
  // 2 KiB a second for 10 s, by 100 edits.
  const { columns, samples } = await figuresOf([user(typing(12_000, { offered: 100, performed: 100 }))], server);
  expect(columns.serverMemoryKiBPer1000Edits).toBeCloseTo(200, 6);
  expect(samples.serverLoopDelayMs).toHaveLength(100);
  expect([...samples.serverLoopDelayMs!].filter((ms) => ms === 7)).toHaveLength(10);
});

test('golden: what the instrument and its machine add, in the window alone, the worst process of it', async () => {
  const withheld = (ms: number, stealMs: number | null, throttledMs: number | null): RecordLine => ({
    ...({ type: 'withheld', atMs: at(ms), cores: 2 } as const),
    ...{ stealMs, throttledMs },
  });
  const line = (ms: number, delays: [number, number][]): RecordLine => ({ type: 'delay-line', atMs: at(ms), delays });
  const first = [
    line(5000, [[100, 9]]),
    line(12_000, [
      [200, -0.125],
      [90, 0.5],
    ]),
    withheld(11_000, 0, 50),
  ];
  const second = [
    line(13_000, [
      [200, 0.25],
      [10, 4],
    ]),
    withheld(11_000, null, null),
    withheld(19_000, null, null),
  ];
  const [{ columns }, none] = await Promise.all([
    figuresOf([user(...first, withheld(19_000, 160, 12_050)), user(...second)]),
    figuresOf([user(line(12_000, [[5, 9]])), user()]),
  ]);
  // 160 ms in 8 s of two cores; 12 s in 8 s, on both cores together.
  expect(columns).toMatchObject({ machineStealPercent: 1, throttledPercent: 150 });
  expect(longUnit(figureNamed('throttledPercent'))).toBe('% of a core');
  // Of 500 chunks; the 250th and the 495th.
  expect(columns).toMatchObject({ delayLineMedianMs: 0.25, delayLineP99Ms: 4 });
  // Five chunks are too few for a median.
  expect(none.columns).toMatchObject({
    ...{ machineStealPercent: null, throttledPercent: null },
    ...{ delayLineMedianMs: null, delayLineP99Ms: null },
  });
});

test('golden: CPU that a server tells by itself falls as its process ends; of bytes, some were queued and never sent', async () => {
  // 1000 to 1200, then 100 to 300 ms within 8 s: 400 ms are 5 %. Bytes: 3072 in 8 s, though 2560 had been queued by the fault.
  const server = [
    resources('server', 11_000, { cpuMs: 1000, memoryBytes: null }),
    resources('server', 13_000, { cpuMs: 1200, memoryBytes: null }),
    resources('server', 15_000, { cpuMs: 100, memoryBytes: null }),
    resources('server', 19_000, { cpuMs: 300, memoryBytes: null }),
    network(11_000, 1024, 1024),
    network(13_000, 3584, 2048),
    network(15_000, 3072, 2048),
    network(19_000, 4096, 3072),
  ];
  const { columns, buckets } = await figuresOf([user()], server);
  expect(columns.serverCpuPercent).toBeCloseTo(5, 9);
  expect(columns.serverSentKiBps).toBeCloseTo(3 / 8, 9);
  expect(columns.serverReceivedKiBps).toBeCloseTo(2 / 8, 9);
  expect(buckets[1]!.columns.serverCpuPercent).toBe(5);
});

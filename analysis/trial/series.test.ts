import { describe, expect, test } from 'vitest';
import type { RecordLine } from '../../results/formats/records.ts';
import { folderOfEachTest } from '../../tests/folders.ts';
import { SERIES_FIGURES } from '../figures/catalogue.ts';
import { type Bucket, poolBuckets } from '../figures/pooling.ts';
import {
  at,
  type HandMadeTrial,
  resources,
  sent,
  shown,
  typing,
  writeHandMadeTrial,
} from '../test-data/hand-made-trial.ts';
import { openRecords } from '../views/database.ts';
import { readBuckets } from './trial-figures.ts';

const directory = folderOfEachTest();

const MIB = 2 ** 20;
const clocks = [{ offsetMs: 0, errorMs: 0 }];

async function bucketsOf(trial: HandMadeTrial): Promise<Bucket[]> {
  await writeHandMadeTrial(directory.path, trial);
  await using records = await openRecords([directory.path]);
  return await readBuckets(records);
}

async function rowsOf(trial: HandMadeTrial, sql: string) {
  await writeHandMadeTrial(directory.path, trial);
  await using records = await openRecords([directory.path]);
  return await records.rows(sql);
}

describe('buckets of 10 s', () => {
  test('golden: each figure in the bucket in which it belongs', async () => {
    // Warm-up from 0, measured from 12 s, profile from 24 s, settling at 25.4 s: buckets from 0, 10 and 20 s, the last
    // 5.4 s long. Their middles lie at 5, 15 and 22.7 s: warm-up, measure, measure.
    const phases = { 'warm-up': 0, measure: 12_000, profile: 24_000, settle: 25_400, done: 30_000 };
    const first: RecordLine[] = [
      typing(9500, { offered: 6, performed: 6 }),
      typing(10_500, { offered: 6, performed: 3 }),
      // Sent in the first bucket, shown in the second: it belongs to the first.
      sent('0000@', 9990),
      shown('0000@', 10_010),
      sent('0001@', 20_000),
      shown('0001@', 20_016),
      { type: 'document', atMs: at(5000), characters: 100 },
      { type: 'document', atMs: at(20_000), characters: 400 },
      // From 9.9 to 10.2 s: 100 ms in the first bucket, 200 in the second. The last ends after typing: 400 ms count.
      { type: 'long-task', atMs: at(9900), durationMs: 300 },
      { type: 'long-task', atMs: at(25_000), durationMs: 1000 },
      // 4 s of CPU between 2 and 6 s, none until 16 s, for two users; the step's middle, 11 s, is in the second bucket.
      resources('chrome', 2000, { cpuMs: 0, memoryBytes: null, users: 2 }),
      resources('chrome', 6000, { cpuMs: 4000, memoryBytes: 200 * MIB, users: 2 }),
      resources('chrome', 16_000, { cpuMs: 4000, memoryBytes: null, users: 2 }),
    ];
    const second: RecordLine[] = [
      typing(9500, { offered: 4, performed: 4 }),
      shown('0000@', 10_090),
      shown('0001@', 20_116),
      { type: 'document', atMs: at(6000), characters: 200 },
    ];
    const server = [
      resources('server', 1000, { cpuMs: 0, memoryBytes: 10 * MIB }),
      resources('server', 5000, { cpuMs: 200, memoryBytes: 30 * MIB }),
    ];
    const users = [first, second].map((lines) => ({ clocks, lines }));
    const buckets = await bucketsOf({ users, server, phases, chrome: 'Chrome/1' });
    const nothing = {
      serverCpuPercent: null,
      serverMemoryMiB: null,
      userCpuPercent: null,
      userMemoryMiB: null,
      machineCpuPercent: null,
    };
    const none = new Float64Array();
    expect(buckets).toEqual([
      {
        phase: 'warm-up',
        columns: {
          ...nothing,
          offered: 10,
          performed: 10,
          sigilsSeen: 1,
          serverCpuPercent: 5,
          serverMemoryMiB: 20,
          userCpuPercent: 50,
          userMemoryMiB: 100,
          documentCharacters: 150,
          // 100 ms of two users' 10 s.
          longTaskPercent: 0.5,
        },
        samples: { localLatencyMs: Float64Array.of(20), endToEndLatencyMs: Float64Array.of(100) },
      },
      {
        phase: 'measure',
        columns: {
          ...nothing,
          offered: 6,
          performed: 3,
          sigilsSeen: 0,
          userCpuPercent: 0,
          documentCharacters: null,
          longTaskPercent: 1,
        },
        samples: { localLatencyMs: none, endToEndLatencyMs: none },
      },
      {
        phase: 'measure',
        columns: {
          ...nothing,
          offered: 0,
          performed: 0,
          sigilsSeen: 1,
          documentCharacters: 400,
          // 400 ms of two users' 5.4 s, to six decimals.
          longTaskPercent: 3.703704,
        },
        samples: { localLatencyMs: Float64Array.of(16), endToEndLatencyMs: Float64Array.of(116) },
      },
    ]);
  });

  test('outside Chrome long tasks are not measured, which is not none', async () => {
    const [bucket] = await bucketsOf({ users: [{ clocks, lines: [] }] });
    expect(bucket!.columns).toMatchObject({ longTaskPercent: null });
  });

  test('the document is as long as on the probes’ screens, not as beside them', async () => {
    const users = [100, 50].map((characters) => ({
      clocks,
      lines: [{ type: 'document', atMs: at(5000), characters } as const],
    }));
    const [bucket] = await bucketsOf({ users, probes: 1 });
    expect(bucket!.columns).toMatchObject({ documentCharacters: 100 });
  });

  test('a rest of under a second is no bucket', async () => {
    const phases = { 'warm-up': 0, measure: 10_000, settle: 20_900, done: 30_000 };
    expect(
      await bucketsOf({ users: [{ clocks, lines: [sent('0000@', 20_500), shown('0000@', 20_520)] }], phases }),
    ).toHaveLength(2);
  });
});

describe('pooling', () => {
  const bucket = (columns: Bucket['columns'], ...localLatencyMs: number[]): Bucket => ({
    phase: 'measure',
    columns: {
      ...Object.fromEntries(SERIES_FIGURES.map(({ name }) => [name, null])),
      offered: 0,
      performed: 0,
      sigilsSeen: 0,
      ...columns,
    },
    samples: { localLatencyMs: Float64Array.from(localLatencyMs), endToEndLatencyMs: new Float64Array() },
  });

  test('golden: samples are pooled, shares are of the sums, the rest is a mean of what is known', () => {
    // Pooled in order: 1, 2, 3, 4, 5, 100: the median is 3.5. (90 + 10) of (100 + 100) edits.
    const trials = [
      [bucket({ offered: 100, performed: 90, serverCpuPercent: 2 }, 100, 1, 3)],
      [bucket({ offered: 100, performed: 10 }, 5, 4, 2), bucket({ offered: 10, performed: 9 })],
    ];
    expect(poolBuckets(trials)).toMatchObject([
      {
        fromS: 0,
        figures: {
          ...{ throughputPercent: 50, serverCpuPercent: 2, userCpuPercent: null },
          ...{ 'localLatencyMs.p50': 3.5, 'localLatencyMs.p95': null, 'localLatencyMs.samples': 6 },
        },
      },
      { fromS: 10, figures: { throughputPercent: 90, 'localLatencyMs.p50': null, 'localLatencyMs.samples': 0 } },
    ]);
    expect(poolBuckets([])).toEqual([]);
  });
});

describe('the paper’s metrics as views', () => {
  test('golden: the share of the measured window in long tasks', async () => {
    // The window is 10–20 s. 60 ms count; of the 300 ms that begin at 19.9 s 100 ms lie within.
    const lines: RecordLine[] = [
      { type: 'long-task', atMs: at(5000), durationMs: 5000 },
      { type: 'long-task', atMs: at(12_000), durationMs: 60 },
      { type: 'long-task', atMs: at(19_900), durationMs: 300 },
    ];
    const users = [lines, []].map((each) => ({ clocks, lines: each }));
    const shares = await rowsOf(
      { users, chrome: 'Chrome/1' },
      'SELECT * EXCLUDE (trial) FROM long_task_shares ORDER BY process',
    );
    expect(shares).toEqual([
      { process: 'user-000', longTaskPercent: 1.6 },
      { process: 'user-001', longTaskPercent: 0 },
    ]);
    expect(await rowsOf({ users }, 'FROM long_task_shares')).toEqual([]);
  });

  test('golden: the share of sigils that arrived', async () => {
    // On others' screens after 1, 3 and 7 s; one is missing.
    const sends = [90, 100, 150, 250].flatMap((localMs, index): RecordLine[] => {
      const sentMs = 11_000 + 1000 * index;
      return [sent(`000${index}@`, sentMs), shown(`000${index}@`, sentMs + localMs)];
    });
    const receipts = [shown('0000@', 12_000), shown('0001@', 15_000), shown('0003@', 21_000)];
    const trial = { users: [sends, receipts].map((lines) => ({ clocks, lines })) };
    // One screen alone decides, and did not show 0002@ although it showed 0003@: broken, so three are expected.
    expect(await rowsOf(trial, 'SELECT * EXCLUDE (trial) FROM arrived')).toEqual([
      { sent: 4, broken: 1, unmeasured: 0, expected: 3, arrived: 3, soon: 1, seen: 3 },
    ]);
  });
});

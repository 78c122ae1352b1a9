import { expect } from 'vitest';
import type { RecordLine, RecordOf } from '../../results/formats/records.ts';
import { describe, test } from '../test-data/at-once.ts';
import { at, type HandMadeTrial, type HandMadeUser } from '../test-data/hand-made-trial.ts';
import { clock, judged, settled, soundTrial, user } from '../test-data/sound-trial.ts';

describe('a driver', () => {
  /** One second of a user's typing; each of its keys was late by so much, and the driver's part of it by so much. */
  const second = (atMs: number, lagMs: number, driverLagMs: number): RecordLine => ({
    ...({ type: 'typing', atMs: at(atMs), offered: 20, performed: 20, skipped: 0 } as const),
    ...{ sigilsSkipped: 0, formats: 0 },
    lagMs: Array(20).fill(lagMs),
    driverLagMs: Array(20).fill(driverLagMs),
  });
  const driver: RecordLine = {
    ...({ type: 'resources', atMs: at(12_000), of: 'driver', host: 'host', users: 2 } as const),
    ...{ cores: null, cpuMs: 1, memoryBytes: null },
  };
  /** Two users on each host; the first one's record holds what their driver costs. */
  const reasonsOf = async (
    hosts: number,
    typingOf: (host: number) => RecordLine[],
    given: Partial<HandMadeTrial> & { clockOffsetMs?: number } = {},
  ) => {
    const { clockOffsetMs = 0, ...trial } = given;
    const users = Array.from({ length: 2 * hosts }, (_, index): HandMadeUser => {
      const lines = [...(index % 2 === 0 ? [driver] : []), ...typingOf(Math.floor(index / 2))];
      return { clocks: [], lines: [clock(15_000 - clockOffsetMs, 0.3, clockOffsetMs), ...lines] };
    });
    return (await judged({ users, server: [], clockErrorLimitMs: 5, ...trial })).reasons;
  };
  const times = (count: number, line: RecordLine) => Array<RecordLine>(count).fill(line);

  test('that is late by itself invalidates, a framework that blocks does not', async () => {
    const [blocks, late] = await Promise.all([
      reasonsOf(1, () => [second(11_500, 800, 1)]),
      reasonsOf(1, () => [second(11_500, 80, 60)]),
    ]);
    expect(blocks).toEqual([]);
    expect(late).toMatchObject([{ code: 'driver-saturated' }]);
  });

  test('that stands still for under 5 % of its edits invalidates, where there are edits enough to tell', async () => {
    // Of 330 edits 10 are 400 ms late, 3 %.
    const stalled: RecordLine = {
      ...(second(11_500, 1, 1) as RecordOf<'typing'>),
      ...{ driverLagMs: Array(5).fill(400) },
    };
    const typed = [...times(8, second(11_500, 1, 1)), stalled];
    const once: RecordLine = { ...(stalled as RecordOf<'typing'>), driverLagMs: [400] };
    const [reasons, seldom, few] = await Promise.all([
      reasonsOf(1, (host) => (host === 0 ? typed : [])),
      // 2 of 802, then of 82: under 1 %, and too few to tell.
      reasonsOf(1, () => [...times(20, second(11_500, 1, 1)), once]),
      reasonsOf(1, () => [...times(2, second(11_500, 1, 1)), once]),
    ]);
    expect(reasons).toMatchObject([{ code: 'driver-stalled' }]);
    expect(reasons[0]!.message).toContain('for user-000, user-001 (400 ms at the 99th percentile, limit 100 ms) →');
    expect([seldom, few]).toEqual([[], []]);
  });

  test('of one host among 20 is seen, and its users are named', async () => {
    // Two users' 40 keys a second of its 80 in two seconds: enough for a percentile of the host alone.
    const reasons = await reasonsOf(20, (host) => times(2, second(11_500, 80, host === 7 ? 60 : 1)));
    expect(reasons).toMatchObject([{ code: 'driver-saturated' }]);
    expect(reasons[0]!.message).toContain('(60 ms at ');
    expect(reasons[0]!.message).toContain('for user-014, user-015 (');
  });

  test('is judged by hosts together where each has typed too little for a percentile', async () => {
    const [few, many] = await Promise.all([
      // 20 of 800 keys are late: one in 40.
      reasonsOf(20, (host) => [second(11_500, 80, host === 7 ? 60 : 1)]),
      // 80 of 800: one in ten. Eight users are listed.
      reasonsOf(20, (host) => [second(11_500, 80, host < 2 ? 60 : 1)]),
    ]);
    expect(few).toEqual([]);
    expect(many).toMatchObject([{ message: expect.stringContaining('user-007 and 32 more (') }]);
  });

  test('that is late before or after the measured window, as the coordinator’s clock has it, does no harm', async () => {
    const around = [second(9500, 800, 600), ...times(2, second(15_500, 1, 1)), second(20_500, 800, 600)];
    // On a clock that is an hour behind.
    const hourMs = 3_600_000;
    const behind = (lines: RecordLine[]) =>
      lines.map((line) => (line.type === 'typing' ? { ...line, atMs: line.atMs - hourMs } : line));
    const found = await Promise.all([
      reasonsOf(1, () => around),
      reasonsOf(1, () => behind(around), { clockOffsetMs: hourMs }),
      reasonsOf(1, () => behind([second(15_500, 80, 60)]), { clockOffsetMs: hourMs }),
    ]);
    expect(found.map(({ length }) => length)).toEqual([0, 0, 1]);
  });

  test('is judged by what a trial came to of its window', async () => {
    const given = { faults: [{ code: 'user-lost', message: 'm' }], phases: { measure: 10_000 }, proof: null };
    expect(await reasonsOf(1, () => [second(11_500, 80, 60)], given)).toMatchObject([
      { code: 'user-lost' },
      { code: 'driver-saturated' },
    ]);
  });
});

test('a gate before the server that has hardly any time left invalidates', async () => {
  const gate = (cpuMs: number) =>
    [11_000, 19_000].map(
      (atMs, index): RecordLine => ({
        ...({ type: 'resources', atMs: at(atMs), of: 'gate', host: 'server', users: 0 } as const),
        ...{ cores: null, cpuMs: index * cpuMs, memoryBytes: null },
      }),
    );
  const [spare, full] = await Promise.all([6000, 7200].map((cpuMs) => judged(soundTrial({ server: gate(cpuMs) }))));
  expect(spare).toMatchObject({ verdict: 'valid' });
  expect(full).toMatchObject({
    verdict: 'invalid',
    reasons: [{ code: 'gate-saturated', message: expect.stringContaining('(90 % of a core, limit 80 %)') }],
  });
});

test('a machine that was busy throughout the measured window is noted', async () => {
  const machine = (atMs: number, cpuMs: number): RecordLine => ({
    ...({ type: 'resources', atMs: at(atMs), of: 'machine', host: 'coordinator', users: 0 } as const),
    ...{ cores: 2, cpuMs, memoryBytes: 1 },
  });
  // 1,960 ms of CPU in 1,000 ms on 2 cores are 98 %. What comes after the measured window does not count.
  const busy = [machine(10_000, 0), machine(11_000, 1960), machine(21_000, 1960)];
  const [full, spare] = await Promise.all([
    judged(soundTrial({ coordinator: busy })),
    judged(soundTrial({ coordinator: [machine(10_000, 0), machine(11_000, 1800)] })),
  ]);
  expect(full).toMatchObject({
    verdict: 'valid',
    notes: [{ code: 'machine-busy', message: expect.stringContaining('2 cores were busy (98 %)') }],
  });
  expect(spare).toMatchObject({ notes: [] });
});

describe('a server that had no time left', () => {
  /** So many ms of CPU, and of waiting for it, in the 8 s between two samples. */
  const used = (cpuMs: number, waitedMs: number) =>
    [11_000, 19_000].map(
      (atMs, index): RecordLine => ({
        ...({ type: 'resources', atMs: at(atMs), of: 'server', host: 'server', users: 0, cores: null } as const),
        ...{ cpuMs: index * cpuMs, waitedMs: index * waitedMs, memoryBytes: null },
      }),
    );

  test.each([
    ['had a tenth of a core left', 4000, 2800, []],
    ['hardly waited for one', 6500, 720, []],
    [
      'waited for one',
      4880,
      2400,
      [{ code: 'server-waited', message: expect.stringContaining('(took 61 %, waited for another 30 %)') }],
    ],
  ])('is noted where others had the cores: one that %s', async (_, cpuMs, waitedMs, notes) => {
    expect(await judged(soundTrial({ server: used(cpuMs, waitedMs) }))).toMatchObject({ verdict: 'valid', notes });
  });

  test('is the busiest one, where there are several', async () => {
    // All together took 60 % and waited for another 36 %.
    const three = (...cpuMs: number[]): HandMadeTrial => {
      const servers = [0, 1].map(
        (index): RecordLine => ({
          ...{ type: 'servers', atMs: at(11_000 + 8000 * index), brokerCpuMs: null },
          cpuMs: cpuMs.map((ms) => ms * index),
        }),
      );
      return soundTrial({ server: [...used(4800, 2880), ...servers], backing: { servers: 3 } });
    };
    const [alike, one] = await Promise.all([judged(three(1600, 1600, 1600)), judged(three(4704, 48, 48))]);
    expect(alike).toMatchObject({ verdict: 'valid', notes: [] });
    expect(one.notes).toMatchObject([{ message: expect.stringContaining('(took 59 %, waited for another 35 %)') }]);
  });

  test('is its control group’s where that held it up', async () => {
    const withheld = [11_000, 19_000].map(
      (atMs, index): RecordLine => ({
        type: 'withheld',
        atMs: at(atMs),
        cores: 2,
        stealMs: 0,
        throttledMs: index * 2400,
      }),
    );
    const { notes } = await judged(soundTrial({ server: [...used(4880, 2400), ...withheld] }));
    expect(notes).toMatchObject([{ code: 'throttled' }]);
  });
});

describe('a delay line', () => {
  const line = (atMs: number, delays: [number, number][]): RecordLine => ({
    type: 'delay-line',
    atMs: at(atMs),
    delays,
  });
  const reasonsOf = async (...lines: RecordLine[]) =>
    (await judged(soundTrial({ users: [user(settled, ...lines), user(settled)] }))).reasons;

  test('that is as late as the clocks may be wrong, or now and then as a driver, invalidates', async () => {
    const delayed = (...delays: [number, number][]) => reasonsOf(line(15_000, delays));
    const [seldom, atTheMedian, often] = await Promise.all([
      delayed([500, 0.25], [480, 2.5], [20, 300]),
      delayed([499, 0.25], [501, 3]),
      delayed([940, -0.25], [60, 40]),
    ]);
    expect(seldom).toEqual([]);
    expect(atTheMedian).toMatchObject([{ code: 'delay-line-late', message: expect.stringContaining('user-000') }]);
    expect(atTheMedian[0]!.message).toContain('3.0 ms at the median');
    expect(often).toMatchObject([{ code: 'delay-line-late' }]);
  });

  test('outside the measured window does no harm, and of a few chunks the median alone is judged', async () => {
    const few: [number, number][] = [
      [30, 1],
      [10, 40],
    ];
    const found = await Promise.all([
      reasonsOf(line(9000, [[500, 40]]), line(21_000, [[500, 40]])),
      reasonsOf(line(15_000, few)),
    ]);
    expect(found).toEqual([[], []]);
  });
});

describe('CPU time that others took', () => {
  const withheld = (atMs: number, stealMs: number, throttledMs: number | null): RecordLine => ({
    ...({ type: 'withheld', atMs: at(atMs), cores: 2 } as const),
    ...{ stealMs, throttledMs },
  });
  // Unsettled, which slowness could explain.
  const verdictOn = (coordinator: RecordLine[], users: RecordLine[] = []) =>
    judged(soundTrial({ users: [user(settled, ...users), user(settled)], coordinator, proof: 'not-reached' }));

  test('by the hypervisor invalidates from 5 % of all cores on, and explains slowness', async () => {
    const stolen = [withheld(10_000, 5000, null), withheld(20_000, 6000, null)];
    const [much, little] = await Promise.all([
      verdictOn(stolen),
      verdictOn([withheld(10_000, 5000, null), withheld(20_000, 5900, null)]),
    ]);
    expect(much).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'not-settled' }, { code: 'machine-stolen', message: expect.stringContaining('5.0 %') }],
    });
    expect(little).toMatchObject({ verdict: 'failed' });
  });

  test('by a control group is noted from 5 % of a core on, and explains slowness', async () => {
    const throttled = [withheld(10_000, 0, 100), withheld(20_000, 0, 700)];
    const [much, little] = await Promise.all([
      verdictOn([], throttled),
      verdictOn([], [withheld(10_000, 0, 100), withheld(20_000, 0, 500)]),
    ]);
    expect(much).toMatchObject({
      verdict: 'invalid',
      reasons: [{ code: 'not-settled' }, { code: 'throttled', message: expect.stringContaining('(6 % of a core)') }],
    });
    expect(little).toMatchObject({ verdict: 'failed' });
  });
});

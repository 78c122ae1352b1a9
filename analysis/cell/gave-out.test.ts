import { describe, expect, test } from 'vitest';
import type { CellSummary } from '../../results/formats/summary.ts';
import { syntheticReport } from '../test-data/synthetic-report.ts';
import { changed } from '../test-data/written-cell.ts';
import { gaveOut, type LimitedTrial } from './gave-out.ts';

const [cell] = syntheticReport({
  frameworks: ['yjs'],
  modes: ['optquill'],
  userCounts: [4],
  trials: 1,
  seconds: 20,
}).cells;
/** Nothing is used up. */
const CALM = changed(cell!, {
  converged: true,
  failedTrials: 0,
  serverCpuPercent: 12,
  serverWaitPercent: 2,
  serverLoopDelayMs: { p99: 3 },
  userCpuPercent: 40,
  userMemoryMiB: 100,
  serverMemoryMiB: 80,
  driverCpuPercent: 9,
  machineCpuPercent: 60,
  worstUserLongTaskPercent: 2,
  userNetworkKiBps: { sent: 2, received: 10 },
});

function limited(written: Partial<CellSummary>, given: Partial<LimitedTrial> = {}): LimitedTrial {
  return {
    outcome: 'missed',
    why: ['median local latency is 300 ms'],
    cell: changed(CALM, written),
    userProfiles: [],
    isAttached: false,
    sharesThreads: false,
    liveUsers: 4,
    machine: { cores: 2, memoryMiB: 8000 },
    bandwidthBytesPerSecond: null,
    ...given,
  };
}
const names = (trial: LimitedTrial) => gaveOut(trial).map(({ what }) => what);

test('nothing was used up: then nothing is named', () => {
  expect(gaveOut(limited({}))).toEqual([]);
});

describe('server CPU', () => {
  test('a core that is nearly full', () => {
    expect(names(limited({ serverCpuPercent: 89.9 }))).toEqual([]);
    expect(gaveOut(limited({ serverCpuPercent: 96.04 }))).toEqual([
      {
        what: 'server CPU',
        used: 0.9604,
        evidence: [
          'the server took 96.0 % of a core',
          'waited for another 2.0 % that others had',
          'its event loop came up to 3.0 ms late (99th percentile)',
        ],
      },
    ]);
  });

  test('of several servers, the busiest counts', () => {
    expect(names(limited({ serverCpuPercent: 105, busiestServerCpuPercent: 34 }))).toEqual([]);
    const several = { serverCpuPercent: 150, busiestServerCpuPercent: 64, serverWaitPercent: 50 };
    expect(gaveOut(limited(several))[0]).toMatchObject({
      used: 0.96,
      evidence: expect.arrayContaining([
        'the busiest server took 96.0 % of a core',
        'waited for another 32.0 % that others had',
      ]),
    });
  });

  test('a loop that stands still now and then, although the core is not full', () => {
    expect(names(limited({ serverLoopDelayMs: { p99: 99 } }))).toEqual([]);
    expect(names(limited({ serverLoopDelayMs: { p99: 100 } }))).toEqual(['server CPU']);
  });
});

describe('user CPU', () => {
  test('by its processes', () => {
    expect(names(limited({ userCpuPercent: 90 }))).toEqual(['user CPU']);
  });

  test('by the main thread of its profile, with the share of each', () => {
    const userProfiles = [
      { busyPercent: 20, percentOf: { framework: 5, editor: 5, browser: 5, harness: 5 } },
      { busyPercent: 97, percentOf: { framework: 61, editor: 11, browser: 20, harness: 5 } },
    ];
    expect(gaveOut(limited({}, { userProfiles }))).toEqual([
      {
        what: 'user CPU',
        used: 0.97,
        evidence: [
          'a user took 40.0 % of a core',
          'its main thread was busy for 97 % of the profile: framework 61 %, browser 20 %, editor 11 %, harness 5 %',
          'the busiest page spent 2.0 % of its time in tasks of 50 ms or longer',
        ],
      },
    ]);
  });
});

test('a thread that users share is no user’s limit, but tells where the machine’s time went', () => {
  const userProfiles = [{ busyPercent: 97, percentOf: { framework: 61, editor: 11, browser: 20, harness: 5 } }];
  const shared = { userProfiles, sharesThreads: true };
  expect(names(limited({}, shared))).toEqual([]);
  const [machine] = gaveOut(limited({}, { ...shared, outcome: 'unknown', why: [] }));
  expect(machine!.evidence.at(-1)).toMatch(
    /^of a process of users, its main thread was busy for 97 % .*framework 61 %/,
  );
});

test('the network, where a link is narrow', () => {
  const bandwidthBytesPerSecond = 10 * 1024;
  expect(gaveOut(limited({}, { bandwidthBytesPerSecond }))).toEqual([
    { what: 'network', used: 1, evidence: ["10.0 KiB/s passed a user's link of 10.0 KiB/s"] },
  ]);
  expect(names(limited({}, { bandwidthBytesPerSecond: 12 * 1024 }))).toEqual([]);
});

test('memory, of the users that are there', () => {
  expect(gaveOut(limited({ userMemoryMiB: 1800 }))).toEqual([
    { what: 'memory', used: 0.91, evidence: ["users and server held 7280 of the machine's 8000 MiB"] },
  ]);
  expect(names(limited({ userMemoryMiB: 1800 }, { liveUsers: 2 }))).toEqual([]);
});

test('the machine comes first where it spoilt the trial, with who took its cores', () => {
  const why = ['the load generator was the bottleneck'];
  const trial = limited({ machineCpuPercent: 99, serverCpuPercent: 95 }, { outcome: 'unknown', why });
  expect(gaveOut(trial)).toMatchObject([
    {
      what: 'the machine',
      used: 0.99,
      evidence: [...why, '99.0 % of 2 cores were busy', 'of a core, users 160.0 %, server 95.0 %, driver 9.0 %'],
    },
    { what: 'server CPU' },
  ]);
});

test('a figure that is not known is no fault of the machine', () => {
  const why = ['key latency, 95th percentile (not known)'];
  expect(gaveOut(limited({}, { outcome: 'unknown', why, lacksFigure: true }))).toEqual([
    { what: 'the measurement', used: null, evidence: why },
  ]);
});

describe('what the framework failed in comes last', () => {
  const why = ['2 different documents among 4 replicas after settling'];

  test('users who did not converge', () => {
    expect(gaveOut(limited({ converged: false, failedTrials: 1 }, { why }))).toEqual([
      { what: 'convergence', used: null, evidence: why },
    ]);
    expect(names(limited({ converged: false, failedTrials: 1, serverCpuPercent: 99 }))).toEqual([
      'server CPU',
      'convergence',
    ]);
  });

  test('anything else', () => {
    expect(names(limited({ converged: null, failedTrials: 1 }, { why: ['the server ended'] }))).toEqual([
      'the framework',
    ]);
  });
});

test('several are in the order of how far they are used up', () => {
  expect(names(limited({ serverCpuPercent: 92, userCpuPercent: 140 }))).toEqual(['user CPU', 'server CPU']);
});

test('evidence names no figure that is not known', () => {
  const late = limited({ serverCpuPercent: null, serverWaitPercent: null, serverLoopDelayMs: { p99: 250 } });
  expect(gaveOut(late)[0]!.evidence).toEqual(['the server’s event loop came up to 250.0 ms late (99th percentile)']);
});

test('figures that are not known limit nothing', () => {
  const unknown = {
    serverCpuPercent: null,
    serverLoopDelayMs: { p99: null },
    userCpuPercent: null,
    userMemoryMiB: null,
  };
  expect(names(limited({ ...unknown, userNetworkKiBps: { sent: null, received: null } }))).toEqual([]);
});

test('users had time to spare, and nobody knows what the server took: it, or the way, is the limit', () => {
  const unseen = { serverCpuPercent: null, serverLoopDelayMs: { p99: null } };
  const isAttached = true;
  expect(gaveOut(limited(unseen, { isAttached }))).toEqual([
    {
      what: 'the server or the way',
      used: null,
      evidence: [expect.stringMatching(/^a user took 40\.0 % .*--metrics/)],
    },
  ]);
  expect(names(limited({ ...unseen, userCpuPercent: 96 }, { isAttached }))).toEqual(['user CPU']);
  // Of a server of the project's own that was not measured, nothing of the kind is known.
  expect(names(limited(unseen))).toEqual([]);
});

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseCondition } from '../../analysis/cell/condition.ts';
import type { Override } from '../experiment/experiment-options.ts';
import { CONDITIONS_FILE, planSearch, type SearchRequest } from './search-plan.ts';

const MACHINE = { cores: 2, availableMemoryMiB: 6000 };
const REQUEST: SearchRequest = {
  frameworks: ['yjs', 'loro'],
  mode: 'noquill',
  criterion: { name: 'paper' },
  conditions: CONDITIONS_FILE,
  overrides: [],
  precisionPercent: 5,
  edgeTrials: 3,
};
const plan = (request: Partial<SearchRequest> = {}) => planSearch({ ...REQUEST, ...request }, MACHINE);
const measure = (value: string): Override => ({ flag: '--measure', path: ['durations', 'measure'], value });
const refusal = (message: RegExp) => ({ exitCode: 2, message: expect.stringMatching(message) });

test('it begins where one trial has the 59 sigils of a 95th percentile, and ends with what memory holds', async () => {
  const { experiment, bounds } = await plan();
  // 65 with the margin, of which a user types 6 a minute; 6,000 MiB of 60 each.
  expect(bounds).toEqual({ fewest: 11, most: 100, precisionPercent: 5, edgeTrials: 3 });
  expect(experiment).toMatchObject({ frameworks: ['yjs', 'loro'], modes: ['noquill'], users: [256], trials: 3 });
  expect((await plan({ overrides: [measure('120s')] })).bounds.fewest).toBe(6);
  expect((await plan({ atMost: 40 })).bounds.most).toBe(40);
});

test('a resumed search has the same experiment, whatever memory is free and whatever it asks', async () => {
  const { experiment } = await plan();
  const criterion = { name: 'where' as const, conditions: [parseCondition('serverCpuPercent < 50')] };
  const later = await planSearch({ ...REQUEST, criterion }, { ...MACHINE, availableMemoryMiB: 3000 });
  expect(later.bounds).toMatchObject({ fewest: 2, most: 50 });
  expect(later.experiment).toEqual(experiment);
});

test('a condition that needs few sigils begins with two users', async () => {
  const criterion = { name: 'where' as const, conditions: [parseCondition('serverCpuPercent < 50')] };
  expect((await plan({ criterion })).bounds.fewest).toBe(2);
});

test('a base of the conditions is left aside: its trials are of one version', async () => {
  const { experiment } = await plan({ conditions: join(CONDITIONS_FILE, '../against-itself.yaml') });
  expect(experiment.base).toBe(null);
});

test('a server that somebody else runs is not loaded with more than 100 users, unless its owner agrees', async () => {
  const value = [{ framework: 'yjs', url: 'ws://127.0.0.1:1234' }];
  const at = {
    frameworks: ['yjs'],
    mode: 'node',
    overrides: [{ flag: '--server', path: ['servers'], value }],
  } as const;
  expect((await plan(at)).bounds.most).toBe(100);
  await expect(plan({ ...at, atMost: 120 })).rejects.toMatchObject(refusal(/120 users are more than 100; say --yes/));
  expect((await plan({ ...at, atMost: 120, isAgreed: true })).bounds.most).toBe(120);
  const withReaders = { ...at, overrides: [...at.overrides, { flag: '--readers', path: ['readers'], value: [60] }] };
  expect((await plan(withReaders)).bounds.most).toBe(40);
});

test('few who type and faults are refused if no trial could be judged', async () => {
  const writers = { flag: 'writers', path: ['writers'], value: 4 };
  await expect(plan({ overrides: [writers] })).rejects.toMatchObject(
    refusal(/^writers: 4: in 1m .* one trial takes 11 users who type to be judged; .* --measure 165s/),
  );
  expect((await plan({ overrides: [writers, measure('165s')] })).bounds.fewest).toBe(4);
  const conditions = join(CONDITIONS_FILE, '../restart.yaml');
  await expect(plan({ conditions })).rejects.toMatchObject(refusal(/has faults, and no criterion judges/));
  const criterion = { name: 'where' as const, conditions: [parseCondition('serverCpuPercent < 50')] };
  expect((await plan({ conditions, criterion })).experiment.faults).not.toEqual([]);
});

test('one search has one store, at one pace, and one count of servers', async () => {
  const at = (path: string, value: unknown) => plan({ overrides: [{ flag: `--${path}`, path: [path], value }] });
  await expect(at('stores', ['memory', 'files'])).rejects.toMatchObject(
    refusal(/--stores memory,files: a search is for one store; give one of them/),
  );
  await expect(at('servers', [1, 3])).rejects.toMatchObject(
    refusal(/--servers 1,3: a search is for one count of servers; give one of them/),
  );
  await expect(at('agents', ['none', 'stream'])).rejects.toMatchObject(
    refusal(/--agents none,stream: a search is for one kind of agents; give one of them/),
  );
  expect((await at('servers', [3])).experiment.servers.counts).toEqual([3]);
  const delays = { flag: 'store.writeDelay', path: ['store', 'writeDelay'], value: ['0s', '20ms'] };
  const slowed = [{ flag: '--stores', path: ['stores'], value: ['leveldb'] }, delays];
  await expect(plan({ frameworks: ['yjs'], overrides: slowed })).rejects.toMatchObject(
    refusal(/store.writeDelay 0s,20ms: a search is for one delay of writes; give one of them/),
  );
});

describe('with probes', () => {
  const probes = (value: number): Override => ({ flag: '--probes', path: ['probes'], value });

  test('anybody’s sigils are enough where keys are timed; memory holds the crowd', async () => {
    const { experiment, bounds, notes } = await plan({ mode: 'optquill', overrides: [probes(2)] });
    expect(bounds).toMatchObject({ fewest: 11, most: 256 });
    expect(experiment).toMatchObject({ probes: 2, durations: { measureMs: 60_000 } });
    expect(notes).toEqual([]);
  });

  test('no more are tried than memory holds beside the probes', async () => {
    const small = { cores: 2, availableMemoryMiB: 2500 };
    const request = { ...REQUEST, mode: 'optquill', overrides: [probes(2)] } as const;
    // 200 MiB for two in Chrome, and 12 for each of the others.
    expect((await planSearch(request, small)).bounds.most).toBe(2 + 191);
    await expect(planSearch({ ...request, atMost: 200 }, small)).rejects.toMatchObject(
      refusal(/memory holds about 193 users with 2 of them live in optquill; give --at-most 193 or less/),
    );
  });

  test('where their own are needed, it measures longer, and refuses less', async () => {
    const criterion = { name: 'where' as const, conditions: [parseCondition('localLatencyMs.p95 < 200')] };
    const local = { mode: 'optquill', criterion } as const;
    const { experiment, bounds, notes } = await plan({ ...local, overrides: [probes(2)] });
    // 65 sigils of two users who type one in 10 s each.
    expect(experiment.durations.measureMs).toBe(325_000);
    expect(bounds.fewest).toBe(3);
    expect(notes).toEqual([expect.stringMatching(/measuring for 325s.*2 probes/)]);
    await expect(plan({ ...local, overrides: [probes(2), measure('60s')] })).rejects.toMatchObject(
      refusal(/--measure 1m is too short for 2 probes.*--measure 325s/),
    );
  });

  test('where the crowd’s sigils alone count, as many of it as type them', async () => {
    const criterion = { name: 'where' as const, conditions: [parseCondition('endToEndFromCrowdMs.p95 < 500')] };
    const { bounds } = await plan({ mode: 'optquill', criterion, overrides: [probes(2)] });
    expect(bounds.fewest).toBe(2 + 11);
  });

  test('as many as users leave no crowd', async () => {
    await expect(plan({ overrides: [probes(20)], atMost: 20 })).rejects.toMatchObject(refusal(/leave no crowd/));
  });
});

test('what cannot be is refused, with what to do', async () => {
  await expect(plan({ from: 4 })).rejects.toMatchObject(refusal(/--from 4: .* takes 11 users.*--measure 165s/));
  await expect(plan({ atMost: 8 })).rejects.toMatchObject(refusal(/needs 11 users.*at most 8 .*--measure/));
  await expect(plan({ from: 50, atMost: 40 })).rejects.toMatchObject(refusal(/--from is 50, but at most 40/));
  await expect(plan({ atMost: 101 })).rejects.toMatchObject(
    refusal(/memory holds about 100 users.*--at-most 100 or less/),
  );
  await expect(plan({ atMost: 2000 })).rejects.toMatchObject(refusal(/--at-most: .*1 to 1296/));
  await expect(plan({ mode: 'node', criterion: { name: 'smooth' } })).rejects.toMatchObject(refusal(/has no page/));
  await expect(plan({ frameworks: ['yjz'] })).rejects.toMatchObject(refusal(/no framework "yjz".*"yjs"/));
});

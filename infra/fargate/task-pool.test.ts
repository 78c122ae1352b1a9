import { afterEach, expect, test } from 'vitest';
import type { TaskGroup } from './deployment.ts';
import { AWAY, EXAMPLE, fakeClients, HOME, TEST_PACE, upExample } from './fake-aws/example.ts';
import { type FakeAws, startFakeAws } from './fake-aws/server.ts';
import { userGroup } from './security-groups.ts';
import { openTaskPool } from './task-pool.ts';

let fake: FakeAws;
afterEach(() => fake.close());

const home: TaskGroup = { kind: 'coordinator', region: HOME, tasks: 1, spot: false };
const users = (tasks: number): TaskGroup => ({ kind: 'users', region: AWAY, tasks, spot: true });
const alive = () => fake.ecs.tasks.filter(({ status }) => status !== 'STOPPED');

async function open() {
  fake = await startFakeAws({ regions: [HOME, AWAY], phaseMs: 5 });
  await upExample(fake);
  const admitted: string[][] = [];
  const pool = openTaskPool({
    aws: fakeClients(fake),
    deployment: EXAMPLE,
    runId: 'run-1',
    pace: TEST_PACE,
    signal: new AbortController().signal,
    groupsOf: (_kind, groups) => userGroup(groups),
    onAddresses: async (addresses) => void admitted.push([...addresses]),
    say: () => {},
  });
  const reach = (...groups: TaskGroup[]) =>
    pool.reach(groups, ({ kind }) => ({ [kind === 'users' ? 'user-1' : 'coordinator']: { A: 'b' } }));
  return { pool, reach, admitted };
}

test('keeps what is needed, starts what is missing, stops what is not needed any more', async () => {
  const { pool, reach, admitted } = await open();
  await reach(home, users(3));
  expect(admitted.at(-1)).toHaveLength(4);
  const first = new Set(pool.tasks.map(({ arn }) => arn));
  await reach(home, users(5));
  expect(pool.tasks.filter(({ arn }) => first.has(arn))).toHaveLength(4);
  await reach(home, users(1));
  expect(pool.tasks.map(({ region }) => region).sort()).toEqual([AWAY, HOME]);
  await expect.poll(alive).toHaveLength(2);
  expect(await pool.stop()).toEqual([]);
  expect(alive()).toEqual([]);
});

test('a task that is gone is told of, and replaced', async () => {
  const { pool, reach } = await open();
  await reach(home, users(2));
  expect(await pool.dropStopped()).toEqual([]);
  const gone = fake.ecs.tasks.find(({ region }) => region === AWAY)!;
  await fake.ecs.end(gone, {
    stopCode: 'EssentialContainerExited',
    reason: 'Essential container in task exited',
    exitCode: 137,
    containerReason: 'OutOfMemoryError: Container killed due to memory usage',
  });
  expect((await pool.dropStopped()).join()).toMatch(/"users" task .* in eu-north-1: a container used up its memory/);
  await reach(home, users(2));
  expect(alive()).toHaveLength(3);
});

test('where one region fails, what the others started is known, and stopped at the end', async () => {
  const { pool, reach } = await open();
  fake.refusals.push({ operation: 'RunTask', region: HOME, times: 9, code: 'AccessDeniedException', message: 'no' });
  await expect(reach(home, users(2))).rejects.toThrow(/us-east-1: your AWS user lacks a permission/);
  expect(pool.tasks).toHaveLength(2);
  expect(await pool.stop()).toEqual([]);
  expect(alive()).toEqual([]);
});

test('a region that cannot be asked at the end is told of; tasks in the others are stopped all the same', async () => {
  const { pool, reach } = await open();
  await reach(home, users(2));
  fake.refusals.push({ operation: 'ListTasks', region: AWAY, times: 9, code: 'AccessDeniedException', message: 'no' });
  expect(await pool.stop()).toEqual([expect.stringMatching(/^whatever runs in eu-north-1 \(.*lacks a permission/)]);
  expect(alive().map(({ region }) => region)).toEqual([AWAY, AWAY]);
});

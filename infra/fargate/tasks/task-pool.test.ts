import { afterEach, expect, test } from 'vitest';
import { AWAY, EXAMPLE, fakeClients, HOME, TEST_PACE, upExample } from '../../../tests/aws/example.ts';
import { type FakeAws, startFakeAws } from '../../../tests/aws/server.ts';
import { userGroup } from '../network/security-groups.ts';
import type { TaskGroup } from '../plan/deployment.ts';
import { TaskPool } from './task-pool.ts';

let fake: FakeAws;
let said: string[] = [];
afterEach(() => {
  said = [];
  return fake.close();
});

const home: TaskGroup = { kind: 'coordinator', region: HOME, tasks: 1, spot: false };
const users = (tasks: number): TaskGroup => ({ kind: 'users', region: AWAY, tasks, spot: true });
const alive = () => fake.ecs.tasks.filter(({ status }) => status !== 'STOPPED');

async function open(addressOf?: (number: number) => string | null) {
  fake = await startFakeAws({ regions: [HOME, AWAY], phaseMs: 5, addressOf });
  await upExample(fake);
  const admitted: string[][] = [];
  const pool = new TaskPool({
    aws: fakeClients(fake),
    deployment: EXAMPLE,
    runId: 'run-1',
    pace: TEST_PACE,
    signal: new AbortController().signal,
    groupsOf: (_kind, groups) => userGroup(groups),
    onAddresses: async (addresses) => void admitted.push([...addresses]),
    say: (text) => said.push(text),
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
  const [fault] = await pool.dropStopped();
  expect(fault).toMatchObject({ kind: 'memory', sentence: expect.stringMatching(/"users" task .* in eu-north-1: a/) });
  await reach(home, users(2));
  expect(alive()).toHaveLength(3);
});

/** The task that has no address for as long as the test wants. */
const BARE = 2;
const bareAddress = (number: number) => (number === BARE ? null : `198.51.100.${number}`);
const bareTask = () => fake.ecs.tasks.find(({ interfaceId }) => interfaceId === `eni-${BARE}`)!;
const askedForAddresses = () =>
  fake.calls.some(({ operation, region }) => operation === 'DescribeNetworkInterfaces' && region === AWAY);

test('a task whose address AWS does not know yet is waited for', async () => {
  const { pool, reach, admitted } = await open(bareAddress);
  await reach(home);
  const reached = reach(home, users(2));
  await expect.poll(askedForAddresses).toBe(true);
  fake.account.of(AWAY).interfaces.get(bareTask().interfaceId)!.address = '198.51.100.99';
  await reached;
  expect(pool.tasks.map(({ address }) => address).sort()).toEqual(['198.51.100.1', '198.51.100.3', '198.51.100.99']);
  expect(admitted.at(-1)).toContain('198.51.100.99');
  expect(fake.ecs.tasks).toHaveLength(3);
});

test('a task that is taken back before its address is known is replaced', async () => {
  const { pool, reach } = await open(bareAddress);
  await reach(home);
  const reached = reach(home, users(2));
  await expect.poll(askedForAddresses).toBe(true);
  await fake.ecs.end(bareTask(), { stopCode: 'SpotInterruption', reason: 'Your Spot Task was interrupted.' });
  await reached;
  expect(pool.tasks).toHaveLength(3);
  expect(said.join('\n')).toMatch(/AWS took the spot task back.*trying again/);
});

test('a task that gets no address is stopped, and another is started', async () => {
  const { pool, reach } = await open(bareAddress);
  await reach(home);
  await reach(home, users(2));
  expect(pool.tasks).toHaveLength(3);
  expect(said.join('\n')).toMatch(/"users" task 0+2 in eu-north-1 has no public address 0 s after it started/);
  expect(await pool.stop()).toEqual([]);
  expect(alive()).toEqual([]);
});

test('what AWS does not list yet is stopped at the end all the same', async () => {
  const { pool, reach } = await open();
  await reach(home, users(2));
  for (const task of fake.ecs.tasks) task.unlisted = true;
  expect(await pool.stop()).toEqual([]);
  expect(alive()).toEqual([]);
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

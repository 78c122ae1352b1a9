import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fate } from '../../tests/aws/ecs.ts';
import { AWAY, clientsAt, EXAMPLE, HOME, TEST_PACE, TEST_TAG } from '../../tests/aws/example.ts';
import { type FakeAws, startFakeAws } from '../../tests/aws/server.ts';
import { Doors } from './doors.ts';
import type { TaskGroup } from './plan/deployment.ts';
import { sweep, TaskPool } from './task-pool.ts';
import { listTasks, runTasks, stopTasks } from './tasks.ts';

let fake: FakeAws;
let said: string[];
let admitted: string[][];
beforeEach(() => {
  said = [];
  admitted = [];
});
afterEach(() => fake.close());

const home: TaskGroup = { kind: 'coordinator', region: HOME, tasks: 1, spot: false };
const users = (tasks: number, spot = true): TaskGroup => ({ kind: 'noquill-1', region: AWAY, tasks, spot });
const alive = () => fake.ecs.tasks.filter(({ status }) => status !== 'STOPPED');
const callsOf = (operation: string) => fake.calls.filter((call) => call.operation === operation);
const NETWORK = { vpcId: 'vpc', subnetIds: ['subnet-a', 'subnet-b', 'subnet-c'] };
const say = (text: string) => void said.push(text);

const RUNS: Fate = { kind: 'runs' };
const NO_CAPACITY = 'Capacity is unavailable at this time. Please try again later or in a different availability zone';

/** @param options.fates of the tasks in the order in which they are asked for; all others run */
async function open(
  options: { addressOf?: (number: number) => string | null; fates?: Fate[]; signal?: AbortSignal } = {},
) {
  const { addressOf, fates = [], signal = new AbortController().signal } = options;
  fake = await startFakeAws({ regions: [HOME, AWAY], phaseMs: 5, addressOf, fateOf: () => fates.shift() ?? RUNS });
  await fake.stand(EXAMPLE, { imageTag: TEST_TAG, caller: '203.0.113.7' });
  const pool = new TaskPool({
    ...{ aws: clientsAt(fake), deployment: EXAMPLE, runId: 'run-1', pace: TEST_PACE, signal, say },
    networks: new Map([HOME, AWAY].map((region) => [region, NETWORK])),
    groupsOf: () => ['sg-users'],
    onAddresses: async (addresses) => void admitted.push([...addresses]),
  });
  const reach = (...groups: TaskGroup[]) =>
    pool.reach(groups, ({ kind }) => ({ [kind === 'coordinator' ? kind : 'user-1']: { A: 'b' } }));
  return { pool, reach };
}

describe('tasks start', () => {
  test('ten at a time, each call with a token of its own, and all are waited for', async () => {
    const { pool, reach } = await open();
    await reach(users(23));
    expect(pool.tasks).toHaveLength(23);
    expect(callsOf('RunTask').map(({ input }) => input.count)).toEqual([10, 10, 3]);
    expect(new Set(callsOf('RunTask').map(({ input }) => input.clientToken)).size).toBe(3);
    expect(fake.ecs.tasks.every(({ spot, startedBy }) => spot && startedBy === 'run-1')).toBe(true);
    expect(fake.ecs.tasks[0]!.tags).toContainEqual({ key: 'scriptorium:experiment', value: 'example' });
    expect(admitted.at(-1)).toContain('198.51.100.23');
  });

  test('again one by one in another zone, if AWS refuses them one by one', async () => {
    const refused: Fate = { kind: 'refused', reason: 'RESOURCE:ENI' };
    const { reach } = await open({ fates: [RUNS, refused, RUNS, refused] });
    await reach(users(4));
    expect(callsOf('RunTask').map(({ input }) => input.count)).toEqual([4, 2]);
    const subnets = callsOf('RunTask').map(({ input }) => input.networkConfiguration.awsvpcConfiguration.subnets);
    expect(subnets).toEqual([NETWORK.subnetIds, ['subnet-b']]);
    expect(said.join('\n')).toMatch(/one "noquill-1" task in eu-north-1: eu-north-1 has no room/);
    expect(alive()).toHaveLength(4);
  });

  test('on demand, after spot had no room twice', async () => {
    const { reach } = await open();
    fake.refusals.push({ operation: 'RunTask', times: 2, code: 'ClientException', message: NO_CAPACITY });
    await reach(users(2));
    expect(alive().map(({ spot }) => spot)).toEqual([false, false]);
    expect(said.join('\n')).toContain('starting what is missing on demand');
  });

  test('although AWS asks for fewer calls', async () => {
    const { pool, reach } = await open();
    fake.refusals.push({ operation: 'RunTask', times: 1, code: 'ThrottlingException', message: 'Rate exceeded' });
    await reach(users(1));
    expect(pool.tasks).toHaveLength(1);
  });

  test('instead of those that stop before they run, or never do, which are stopped', async () => {
    const reason = `Unexpected EC2 error. ${NO_CAPACITY}`;
    const { reach } = await open({
      fates: [{ kind: 'fails', stopCode: 'TaskFailedToStart', reason }, { kind: 'hangs' }],
    });
    await reach(users(3));
    expect(alive()).toHaveLength(3);
    expect(said.join('\n')).toContain('eu-north-1 has no room');
    expect(fake.ecs.tasks[1]!.desired).toBe('STOPPED');
  });

  test('not, if nothing helps: the sentence says why', async () => {
    const { reach } = await open();
    const message = "You've reached the limit on the number of vCPUs you can run concurrently";
    fake.refusals.push({ operation: 'RunTask', times: 1, code: 'ClientException', message });
    await expect(reach(users(2))).rejects.toThrow(
      /quota of Fargate vCPUs in eu-north-1 is used up. Ask for more at https/,
    );
    fake.refusals.push({ operation: 'RunTask', times: 9, code: 'ClientException', message: NO_CAPACITY });
    await expect(reach(users(1))).rejects.toThrow(/only 0 of 1 "noquill-1" tasks in eu-north-1 started after 5 tries/);
  });

  test('and stop again, if the run is interrupted meanwhile', async () => {
    const interrupted = new AbortController();
    const { pool, reach } = await open({ fates: [{ kind: 'hangs' }], signal: interrupted.signal });
    const reached = reach(users(2));
    await expect.poll(() => fake.ecs.tasks.map(({ status }) => status)).toEqual(['PENDING', 'RUNNING']);
    interrupted.abort(new Error('Ctrl-C'));
    await expect(reached).rejects.toThrow('Ctrl-C');
    expect(await pool.stop()).toEqual([]);
    expect(alive()).toEqual([]);
  });
});

test('the pool keeps what is needed, starts what is missing, stops what is not needed any more', async () => {
  const { pool, reach } = await open();
  await reach(home, users(3));
  expect(admitted.at(-1)).toHaveLength(4);
  const first = new Set(pool.tasks.map(({ arn }) => arn));
  await reach(home, users(5));
  expect(pool.tasks.filter(({ arn }) => first.has(arn))).toHaveLength(4);
  await reach(home, users(1));
  expect(pool.tasks.map(({ region }) => region).sort()).toEqual([AWAY, HOME]);
  await expect.poll(alive).toHaveLength(2);
  await reach(home);
  await expect.poll(alive).toHaveLength(1);
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
  const [error] = await pool.dropStopped();
  expect(error).toMatchObject({
    kind: 'memory',
    sentence: expect.stringMatching(/"noquill-1" task .* in eu-north-1: a/),
  });
  await reach(home, users(2));
  expect(alive()).toHaveLength(3);
});

/** The task that has no address for as long as the test wants. */
const BARE = 2;
const bareAddress = (number: number) => (number === BARE ? null : `198.51.100.${number}`);

test('a task whose address AWS does not know yet is waited for; one that gets none is stopped and replaced', async () => {
  const { pool, reach } = await open({ addressOf: bareAddress });
  await reach(home);
  await reach(home, users(2));
  expect(pool.tasks).toHaveLength(3);
  expect(said.join('\n')).toMatch(
    /task 0+2 in eu-north-1 did not start within 0 s \(it is RUNNING, .*without public addresses/,
  );
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

test('if one region fails, what the others started is known, and stopped at the end', async () => {
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

test('what a run has left without its coordinator is swept; a run that is under way is left alone', async () => {
  const { reach } = await open();
  await reach(home, users(2));
  const aws = clientsAt(fake);
  const swept = () => sweep(aws, EXAMPLE, 'coordinator', { pace: TEST_PACE, say });
  await expect(swept()).rejects.toThrow(/a run of "example" is under way: 3 of its tasks run.*fargate clean example/);
  const coordinator = fake.ecs.tasks.find(({ region }) => region === HOME)!;
  await fake.ecs.end(coordinator, { stopCode: 'InfrastructureHealth', reason: 'host failed' });
  await swept();
  expect(alive()).toEqual([]);
});

test('stopping is asked for again if AWS refuses, and only a run’s own tasks are stopped', async () => {
  const { reach } = await open();
  await reach(users(2));
  const clients = clientsAt(fake)(AWAY);
  const request = { deploymentId: 'example', kind: 'noquill-1', count: 1, spot: false, variables: {}, runId: 'run-2' };
  const never = new AbortController().signal;
  await runTasks(clients, { ...request, subnetIds: NETWORK.subnetIds, securityGroupIds: ['sg-users'] }, never);
  fake.refusals.push({ operation: 'StopTask', times: 1, code: 'AccessDeniedException', message: 'not now' });
  expect(await stopTasks(clients, 'example', { pace: TEST_PACE, say, runId: 'run-1' })).toEqual([]);
  expect(said.join('\n')).toContain('stopping the task');
  expect(await listTasks(clients, 'example')).toHaveLength(1);
  expect(await listTasks(clients, 'nothing-of-that-name')).toEqual([]);
});

test('the doors let in who is named and nobody else, as many as they have room for', async () => {
  await open();
  const groups = fake.account.of(HOME).securityGroups;
  groups.get('sg-door-1')!.set('203.0.113.7/32', 7400);
  const doors = new Doors(clientsAt(fake)(HOME), ['sg-door-1', 'sg-door-2'], EXAMPLE.ports);
  const rules = () => ['sg-door-1', 'sg-door-2'].map((id) => groups.get(id)!.size);
  await doors.admit(new Set(['198.51.100.1', '198.51.100.2']));
  await doors.admit(new Set(['198.51.100.2', '198.51.100.3']));
  expect([...groups.get('sg-door-1')!.keys()]).toEqual(['203.0.113.7/32', '198.51.100.2/32', '198.51.100.3/32']);
  const many = (count: number) => new Set(Array.from({ length: count }, (_, index) => `198.51.100.${index}`));
  await doors.admit(many(100));
  expect(rules()).toEqual([60, 41]);
  await expect(doors.admit(many(120))).rejects.toThrow('no room for 1 more addresses');
  await doors.admit(new Set());
  expect(rules()).toEqual([1, 0]);
});

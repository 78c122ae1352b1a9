import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AWAY, clientsAt, EXAMPLE, HOME, TEST_PACE, TEST_TAG } from '../../tests/aws/example.ts';
import { type FakeAws, startFakeAws } from '../../tests/aws/server.ts';
import type { Fate } from '../../tests/aws/tasks.ts';
import { admit } from './doors.ts';
import type { TaskGroup } from './plan/deployment.ts';
import { sweep, TaskPool } from './task-pool.ts';
import { listTasks, runTasks, stopTasks } from './tasks.ts';

let fake: FakeAws;
let said: string[];
beforeEach(() => {
  said = [];
});
afterEach(() => fake.close());

const home: TaskGroup = { kind: 'coordinator', region: HOME, tasks: 1, spot: false };
const users = (tasks: number, spot = true): TaskGroup => ({ kind: 'noquill-1', region: AWAY, tasks, spot });
const alive = () => fake.alive;
/** Rules of the doors, all together. */
const admitted = () => [...fake.in(HOME).securityGroups.values()].flatMap((rules) => [...rules]);
const callsOf = (operation: string) => fake.calls.filter((call) => call.operation === operation);
const CALLER = '203.0.113.7';
const NETWORK = { vpcId: 'vpc', subnetIds: ['subnet-a', 'subnet-b', 'subnet-c'] };
const say = (text: string) => void said.push(text);

const RUNS: Fate = { kind: 'runs' };
const NO_CAPACITY = 'Capacity is unavailable at this time. Please try again later or in a different availability zone';

interface PoolOptions {
  addressOf?: (number: number) => string | null;
  /** Of the tasks in the order in which they are asked for; all others run. */
  fates?: Fate[];
  signal?: AbortSignal;
  /** Long, as a busy machine starts tasks late; short where one is never to start. */
  startLimitMs?: number;
}

async function open(options: PoolOptions = {}) {
  const { addressOf, fates = [], signal = new AbortController().signal, startLimitMs = 10_000 } = options;
  fake = await startFakeAws({ regions: [HOME, AWAY], phaseMs: 5, addressOf, fateOf: () => fates.shift() ?? RUNS });
  await fake.stand(EXAMPLE, TEST_TAG);
  const pool = new TaskPool({
    ...{ aws: clientsAt(fake), deployment: EXAMPLE, runId: 'run-1', signal, say },
    pace: { ...TEST_PACE, startLimitMs },
    networks: new Map([HOME, AWAY].map((region) => [region, NETWORK])),
    stacks: new Map([HOME, AWAY].map((region) => [region, fake.in(region).stacks.get('scriptorium-example')!])),
    caller: CALLER,
    variablesOf: ({ kind }) => ({ [kind === 'coordinator' ? kind : 'user-1']: { A: 'b' } }),
  });
  return { pool, reach: (...groups: TaskGroup[]) => pool.reach(groups) };
}

describe('tasks start', () => {
  test('ten at a time, each call with a token of its own, and all are waited for', async () => {
    const { pool, reach } = await open();
    await reach(users(23));
    expect(pool.tasks).toHaveLength(23);
    // A call that the SDK repeats, as no answer came in time, has the token of the first, and starts nothing more.
    const calls = new Map(callsOf('RunTask').map(({ input }) => [input.clientToken, input.count]));
    expect([...calls.values()]).toEqual([10, 10, 3]);
    expect(fake.tasks).toHaveLength(23);
    expect(fake.tasks.every(({ spot, startedBy }) => spot && startedBy === 'run-1')).toBe(true);
    expect(fake.tasks[0]!.tags).toContainEqual({ key: 'scriptorium:experiment', value: 'example' });
    expect(admitted()).toEqual(expect.arrayContaining([`${CALLER}/32 7400-7400`, '198.51.100.23/32 7401-7403']));
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
      startLimitMs: TEST_PACE.startLimitMs,
    });
    await reach(users(3));
    expect(alive()).toHaveLength(3);
    expect(said.join('\n')).toContain('eu-north-1 has no room');
    expect(fake.tasks[1]!.desired).toBe('STOPPED');
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
    await expect.poll(() => fake.tasks.map(({ status }) => status)).toEqual(['PENDING', 'RUNNING']);
    interrupted.abort(new Error('Ctrl-C'));
    await expect(reached).rejects.toThrow('Ctrl-C');
    expect(await pool.stop()).toEqual([]);
    expect(alive()).toEqual([]);
  });
});

test('the pool keeps what is needed, starts what is missing, stops what is not needed any more', async () => {
  const { pool, reach } = await open();
  await reach(home, users(3));
  expect(admitted()).toHaveLength(5);
  const first = new Set(pool.tasks.map(({ arn }) => arn));
  await reach(home, users(5));
  expect(pool.tasks.filter(({ arn }) => first.has(arn))).toHaveLength(4);
  await reach(home, users(1));
  expect(pool.tasks.map(({ region }) => region).sort()).toEqual([AWAY, HOME]);
  // The caller, and the two.
  expect(admitted()).toHaveLength(3);
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
  const gone = fake.tasks.find(({ region }) => region === AWAY)!;
  await fake.end(gone, {
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
  expect(admitted()).toHaveLength(3);
  await reach(home, users(2));
  expect(alive()).toHaveLength(3);
});

/** The task that has no address for as long as the test wants. */
const BARE = 2;
const bareAddress = (number: number) => (number === BARE ? null : `198.51.100.${number}`);

test('a task whose address AWS does not know yet is waited for; one that gets none is stopped and replaced', async () => {
  const { pool, reach } = await open({ addressOf: bareAddress, startLimitMs: TEST_PACE.startLimitMs });
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
  for (const task of fake.tasks) task.unlisted = true;
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
  const swept = () => sweep(aws, EXAMPLE, { pace: TEST_PACE, say });
  await expect(swept()).rejects.toThrow(/a run of "example" is under way: 3 of its tasks run.*fargate clean example/);
  const coordinator = fake.tasks.find(({ region }) => region === HOME)!;
  await fake.end(coordinator, { stopCode: 'InfrastructureHealth', reason: 'host failed' });
  fake.refusals.push({ operation: 'StopTask', times: 1000, code: 'AccessDeniedException', message: 'no' });
  await expect(swept()).rejects.toThrow(/still run in eu-north-1, and cost: \w+, \w+\. .*fargate clean example/);
  fake.refusals.length = 0;
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
  const doors = ['sg-door-1', 'sg-door-2'];
  const rulesOf = (id: string) => [...fake.in(HOME).securityGroups.get(id)!];
  const caller = { address: CALLER, from: 7400, to: 7400 };
  const admitOnly = (...addresses: number[]) => {
    const tasks = addresses.map((number) => ({ address: `198.51.100.${number}`, ...EXAMPLE.ports.tasks }));
    return admit(clientsAt(fake)(HOME), doors, [caller, ...tasks]);
  };
  // AWS may tell of a state that is older than its last change.
  const done = { operation: 'AuthorizeSecurityGroupIngress', times: 1, code: 'InvalidPermission.Duplicate' };
  fake.refusals.push({ ...done, message: 'the specified rule already exists' });
  await admitOnly(1, 2);
  expect(rulesOf('sg-door-1')).toHaveLength(3);
  await admitOnly(2, 3);
  expect(rulesOf('sg-door-1')).toEqual([
    `${CALLER}/32 7400-7400`,
    '198.51.100.2/32 7401-7403',
    '198.51.100.3/32 7401-7403',
  ]);
  await admitOnly(...Array(100).keys());
  expect(doors.map((id) => rulesOf(id).length)).toEqual([60, 41]);
  await expect(admitOnly(...Array(120).keys())).rejects.toThrow('no room for 1 more addresses');
  await admit(clientsAt(fake)(HOME), doors, []);
  expect(doors.flatMap(rulesOf)).toEqual([]);
});

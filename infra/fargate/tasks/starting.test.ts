import { afterEach, describe, expect, test } from 'vitest';
import { AWAY, EXAMPLE, fakeClients, HOME, TEST_PACE, upExample, userRequest } from '../../../tests/aws/example.ts';
import { type FakeAws, startFakeAws } from '../../../tests/aws/server.ts';
import type { Fate } from '../../../tests/aws/task.ts';
import { publicAddresses } from '../network/default-network.ts';
import { startTasks } from './starting.ts';
import { listTasks, stopTasks } from './stopping.ts';

let fake: FakeAws;
let said: string[] = [];
afterEach(() => {
  said = [];
  return fake.close();
});

const RUNS: Fate = { kind: 'runs' };
const NO_CAPACITY = 'Capacity is unavailable at this time. Please try again later or in a different availability zone';

/** Fates of the tasks in the order in which they are asked for; all others run. */
async function open(fates: Fate[] = []) {
  fake = await startFakeAws({ regions: [HOME, AWAY], phaseMs: 5, fateOf: () => fates.shift() ?? RUNS });
  await upExample(fake);
}

const options = (signal?: AbortSignal) => ({ pace: TEST_PACE, signal, say: (text: string) => said.push(text) });
const start = async (count: number, spot = false, signal?: AbortSignal) =>
  startTasks(fakeClients(fake)(AWAY), await userRequest(fake, count, spot), options(signal));
const alive = () => fake.ecs.tasks.filter(({ status }) => status !== 'STOPPED');
const callsOf = (operation: string) => fake.calls.filter((call) => call.operation === operation);

describe('starting tasks', () => {
  test('asks for ten at a time, each call with a token of its own, and waits until all run', async () => {
    await open();
    const tasks = await start(23, true);
    expect(tasks).toHaveLength(23);
    expect(tasks.every(({ lastStatus }) => lastStatus === 'RUNNING')).toBe(true);
    expect(callsOf('RunTask').map(({ input }) => input.count)).toEqual([10, 10, 3]);
    expect(new Set(callsOf('RunTask').map(({ input }) => input.clientToken)).size).toBe(3);
    expect(fake.ecs.tasks.every(({ spot, startedBy }) => spot && startedBy === 'run-1')).toBe(true);
    expect(fake.ecs.tasks[0]!.tags).toContainEqual({ key: 'scriptorium:experiment', value: 'example' });
    const addresses = await publicAddresses(fakeClients(fake)(AWAY), tasks);
    expect(addresses.get(tasks[0]!.taskArn!)).toBe('198.51.100.1');
  });

  test('tries what is in failures[] again, item by item, in another zone', async () => {
    await open([RUNS, { kind: 'refused', reason: 'RESOURCE:ENI' }, RUNS, { kind: 'refused', reason: 'RESOURCE:ENI' }]);
    await expect(start(4)).resolves.toHaveLength(4);
    expect(callsOf('RunTask').map(({ input }) => input.count)).toEqual([4, 2]);
    const subnets = callsOf('RunTask').map(({ input }) => input.networkConfiguration.awsvpcConfiguration.subnets);
    expect(subnets).toEqual([['subnet-a', 'subnet-b', 'subnet-c'], ['subnet-b']]);
    expect(said[0]).toMatch(/one "users" task in eu-north-1: eu-north-1 has no room/);
    expect(alive()).toHaveLength(4);
  });

  test('falls back from spot to on demand where spot has no room', async () => {
    await open();
    fake.refusals.push({ operation: 'RunTask', times: 2, code: 'ClientException', message: NO_CAPACITY });
    await expect(start(2, true)).resolves.toHaveLength(2);
    expect(alive().map(({ spot }) => spot)).toEqual([false, false]);
    expect(said.join('\n')).toContain('starting what is missing on demand');
  });

  test('survives throttling', async () => {
    await open();
    fake.refusals.push({ operation: 'RunTask', times: 1, code: 'ThrottlingException', message: 'Rate exceeded' });
    await expect(start(1)).resolves.toHaveLength(1);
    expect(said).toEqual([]);
  });

  test('starts another where one is stopped before it runs', async () => {
    await open([{ kind: 'fails', stopCode: 'TaskFailedToStart', reason: `Unexpected EC2 error. ${NO_CAPACITY}` }]);
    await expect(start(2)).resolves.toHaveLength(2);
    expect(alive()).toHaveLength(2);
  });

  test('stops one that never starts, and starts another', async () => {
    await open([{ kind: 'hangs' }]);
    await expect(start(2)).resolves.toHaveLength(2);
    expect(said[0]).toMatch(/task 0+1 in eu-north-1 did not start within 0 s \(it is PENDING\)/);
    expect(fake.ecs.tasks[0]!.desired).toBe('STOPPED');
  });

  test('gives up after some tries, and leaves nothing behind', async () => {
    await open(Array.from({ length: 100 }, () => ({ kind: 'refused', reason: 'Capacity is unavailable' })));
    await expect(start(2)).rejects.toThrow(/only 0 of 2 "users" tasks in eu-north-1 started after 5 tries/);
    expect(alive()).toHaveLength(0);
  });

  test.each([
    [
      { kind: 'fails', stopCode: 'TaskFailedToStart', reason: 'CannotPullContainerError: manifest unknown' },
      /"users" task 0+2 in eu-north-1: the image cannot be pulled. Push it again/,
    ],
    [
      { kind: 'fails', stopCode: 'EssentialContainerExited', reason: 'Essential container in task exited' },
      /Essential container in task exited/,
    ],
  ] as const)('does not repeat what cannot succeed, and stops the others: %j', async (fate, sentence) => {
    await open([RUNS, fate]);
    await expect(start(3)).rejects.toThrow(sentence);
    expect(callsOf('RunTask')).toHaveLength(1);
    await expect.poll(alive).toHaveLength(0);
  });

  test.each([
    [
      'ClientException',
      "You've reached the limit on the number of vCPUs you can run concurrently",
      /quota of Fargate vCPUs in eu-north-1/,
    ],
    ['AccessDeniedException', 'not authorized to perform: ecs:RunTask', /iam-policy.json/],
    ['UnrecognizedClientException', 'The security token included in the request is invalid.', /Sign in/],
  ])('says what to do about %s', async (code, message, sentence) => {
    await open();
    fake.refusals.push({ operation: 'RunTask', times: 9, code, message });
    await expect(start(1)).rejects.toThrow(sentence);
  });

  test('an interruption stops what was started', async () => {
    await open([RUNS, { kind: 'hangs' }]);
    const interrupted = new AbortController();
    const starting = start(2, false, interrupted.signal);
    await expect.poll(() => fake.ecs.tasks[0]?.status).toBe('RUNNING');
    interrupted.abort(new Error('Ctrl-C'));
    await expect(starting).rejects.toThrow('Ctrl-C');
    await expect.poll(alive).toHaveLength(0);
  });
});

describe('stopping tasks', () => {
  test('counts them down to none, one run or all', async () => {
    await open();
    const clients = fakeClients(fake)(AWAY);
    await start(12);
    await startTasks(clients, { ...(await userRequest(fake, 3)), runId: 'run-2' }, options());
    expect(await stopTasks(clients, EXAMPLE.id, { ...options(), runId: 'run-1' })).toEqual([]);
    expect(alive().map(({ startedBy }) => startedBy)).toEqual(['run-2', 'run-2', 'run-2']);
    expect(await stopTasks(clients, EXAMPLE.id, options())).toEqual([]);
    expect(await listTasks(clients, EXAMPLE.id)).toEqual([]);
  });

  test('asks again where a call fails, and says what is left when time is over', async () => {
    await open();
    await start(2);
    fake.refusals.push({ operation: 'StopTask', times: 3, code: 'ServerException', message: 'Service Unavailable' });
    expect(await stopTasks(fakeClients(fake)(AWAY), EXAMPLE.id, options())).toEqual([]);

    await start(1);
    fake.refusals.push({ operation: 'StopTask', times: 1e6, code: 'AccessDeniedException', message: 'no' });
    const pace = { ...TEST_PACE, stopLimitMs: 50 };
    expect(await stopTasks(fakeClients(fake)(AWAY), EXAMPLE.id, { ...options(), pace })).toHaveLength(1);
    expect(said.at(-1)).toMatch(/stopping the task 0+3 in eu-north-1: your AWS user lacks a permission/);
  });

  test('waits for those that somebody else has told to stop', async () => {
    let stopped = false;
    fake = await startFakeAws({
      regions: [HOME, AWAY],
      phaseMs: 5,
      engine: () => ({
        start: () => {},
        stop: async () => {
          await new Promise((resolve) => setTimeout(resolve, 100));
          stopped = true;
        },
      }),
    });
    await upExample(fake);
    await start(1);
    void fake.ecs.end(fake.ecs.tasks[0]!, { stopCode: 'SpotInterruption', reason: 'Your Spot Task was interrupted.' });
    expect(await stopTasks(fakeClients(fake)(AWAY), EXAMPLE.id, { ...options(), runId: 'run-1' })).toEqual([]);
    expect(stopped).toBe(true);
  });

  test('stops tasks that AWS does not list yet', async () => {
    await open();
    const arns = (await start(2)).map(({ taskArn }) => taskArn!);
    for (const task of fake.ecs.tasks) task.unlisted = true;
    const clients = fakeClients(fake)(AWAY);
    expect(await stopTasks(clients, EXAMPLE.id, { ...options(), runId: 'run-1' })).toEqual([]);
    expect(alive()).toHaveLength(2);
    const longGone = arns[0]!.replace(/\w+$/, 'f'.repeat(32));
    const taken = [...arns, longGone];
    expect(await stopTasks(clients, EXAMPLE.id, { ...options(), runId: 'run-1', taken })).toEqual([]);
    expect(alive()).toEqual([]);
  });

  test('there is nothing to stop where there is no cluster', async () => {
    await open();
    expect(await stopTasks(fakeClients(fake)(AWAY), 'another', options())).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import type { Experiment } from '../../experiment/experiment.ts';
import { resolveExperiment } from '../../experiment/experiment-file.ts';
import { makePlan } from '../../experiment/plan.ts';
import { deploymentOf, fargatePlanOf, userTasks } from './deployment.ts';

const attaches = { protocol: 'y-websocket', documentIn: 'path', hasReaders: true } as const;
const frameworks = [{ name: 'yjs', about: { attaches } }];
const GROUPS = [
  { name: 'west', share: 0.5, oneWayDelay: '30ms', region: 'us-west-1' },
  { name: 'north', share: 0.5, oneWayDelay: '55ms', region: 'eu-north-1' },
];

function experimentWith(properties: object, fargate: object = {}): Experiment {
  return resolveExperiment(
    {
      name: 'paper',
      trials: 1,
      modes: ['noquill'],
      network: { groups: GROUPS },
      fleet: { on: 'fargate', region: 'us-east-1', fargate },
      ...properties,
    },
    { frameworks },
  );
}
const planOf = (experiment: Experiment) => deploymentOf(experiment, makePlan(experiment));
const tasksOf = (experiment: Experiment) => userTasks(experiment, makePlan(experiment)[0]!);

describe('an experiment on AWS', () => {
  test('has one task for each user, of the size of the paper’s containers, and one each for coordinator and server', () => {
    const { regions, kinds, userTasksAtOnce } = planOf(
      experimentWith({ users: [16, 144], modes: ['optquill', 'noquill'] }),
    );
    expect(regions).toEqual(['us-east-1', 'us-west-1', 'eu-north-1']);
    expect(userTasksAtOnce).toBe(144);
    expect(kinds.map(({ name, size, regions: where }) => [name, size.cpuUnits, size.memoryMiB, where.length])).toEqual([
      ['coordinator', 1024, 4096, 1],
      ['server', 1024, 4096, 1],
      ['optquill-1', 1024, 2048, 2],
      ['noquill-1', 512, 1024, 2],
    ]);
  });

  test('shares tasks as the file says, with a smaller one for those who are left', () => {
    const experiment = experimentWith({ users: 14 }, { usersPerTask: 3, spot: false });
    // 7 users in each region: 2 tasks of 3, and 1 of 1.
    expect(tasksOf(experiment)).toEqual(
      ['us-west-1', 'eu-north-1'].flatMap((region) => [
        { kind: 'noquill-3', region, tasks: 2, spot: false },
        { kind: 'noquill-1', region, tasks: 1, spot: false },
      ]),
    );
    // 3 × 0.5 vCPU and 3 × 1024 MiB need 2 vCPU, which come with 4096 MiB at least.
    const three = planOf(experiment).kinds.find(({ name }) => name === 'noquill-3')!;
    expect(three.size).toEqual({ cpuUnits: 2048, memoryMiB: 4096 });
    expect(three.containers).toEqual(['user-1', 'user-2', 'user-3']);
  });

  test('has a task in the server’s region for each agent and each reader with a client, and one for all sockets', () => {
    const experiment = experimentWith({ users: 2, agents: '2-stream', readers: 100 });
    const tasks = tasksOf(experiment).map(({ region, tasks }) => [region, tasks]);
    expect(Object.fromEntries(tasks)).toEqual({ 'us-west-1': 1, 'eu-north-1': 1, 'us-east-1': 5 });
  });

  test('has no task for a server where somebody else runs one, but for one that reads its metrics', () => {
    const kindsAt = (more: object) => {
      const servers = [{ framework: 'yjs', url: 'wss://example.org', ...more }];
      return planOf(experimentWith({ users: 2, network: {}, servers })).kinds.map(({ role }) => role);
    };
    expect(kindsAt({})).toEqual(['coordinator', 'users']);
    expect(kindsAt({ metrics: 'https://example.org/metrics' })).toEqual(['coordinator', 'server', 'users']);
  });

  test('runs users without a region of their own with the server', () => {
    const experiment = experimentWith({ users: 2, network: {} });
    expect(tasksOf(experiment).map(({ region }) => region)).toEqual(['us-east-1']);
  });

  test('costs what its tasks cost for as long as each trial takes', () => {
    // 1 trial of 16 users: 3 s and 0.1 s a user to start, 430 s, and twice 120 s to start and stop tasks: the server's, the users'.
    const { cost, durationMs } = fargatePlanOf(experimentWith({ users: 16 }), makePlan(experimentWith({ users: 16 })));
    expect(durationMs).toBe((3 + 1.6 + 430 + 240) * 1000);
    // 2 vCPU all the time, 8 from when the server is there.
    expect(cost.vcpuHours).toBeCloseTo((2 * durationMs + 8 * (durationMs - 120_000)) / 3_600_000, 6);
  });

  test('a task larger than Fargate’s is refused with what to write', () => {
    const large = experimentWith({ users: 20, resources: { user: { cpus: 2 } } }, { usersPerTask: 10 });
    expect(() => planOf(large)).toThrow(/the task "noquill-10" needs 20 vCPU .*usersPerTask/);
  });
});

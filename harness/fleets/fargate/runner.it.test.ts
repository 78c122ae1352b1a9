/** Runs on Fargate as a person starts them, on the fake AWS: its containers are processes, all else is as it would be. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Phase } from '../../../results/formats/records.ts';
import { clientsAt, TEST_PACE } from '../../../tests/aws/example.ts';
import { FAKE_ADDRESS, startFakeFargate } from '../../../tests/aws/fake-fargate.ts';
import type { FakeAws } from '../../../tests/aws/server.ts';
import type { Experiment } from '../../experiment/experiment.ts';
import { resolveExperiment } from '../../experiment/experiment-file.ts';
import { makePlan } from '../../experiment/plan.ts';
import { deploymentOf } from './deployment.ts';
import { imageTag } from './on-aws.ts';
import { openFargateRunner } from './runner.ts';

const HOME = 'us-east-1';
const REGIONS = ['us-west-1', 'eu-north-1'];
/** Ports below those that systems give out by themselves. */
const FIRST_PORT = 21_400;

let folder: string;
let fake: FakeAws;
let notices: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fargate-'));
  notices = [];
});
afterEach(async () => {
  await fake.close();
  await rm(folder, { recursive: true });
});

/** Users in as many regions as there are groups. */
const experimentWith = (regions: readonly string[], usersPerTask: number, users: number, trials: number): Experiment =>
  resolveExperiment(
    {
      name: 'Far_and_wide',
      frameworks: 'yjs',
      modes: 'noquill',
      users,
      trials,
      durations: { warmUp: '1s', measure: '1s', profile: '0s', settle: '20s' },
      typing: { keysPerSecond: 10, sigilPeriod: '1s' },
      limits: { clockError: '50ms' },
      fleet: { on: 'fargate', region: HOME, fargate: { reachedFrom: FAKE_ADDRESS, usersPerTask } },
      network: {
        groups: regions.map((region) => ({ name: region, share: 1 / regions.length, oneWayDelay: '30ms', region })),
      },
    },
    { frameworks: [{ name: 'yjs', about: {} }] },
  );

async function open(options: {
  regions?: readonly string[];
  usersPerTask?: number;
  users?: number;
  trials?: number;
  onPhase?: (phase: Phase) => void;
  signal?: AbortSignal;
}) {
  const experiment = experimentWith(
    options.regions ?? REGIONS,
    options.usersPerTask ?? 1,
    options.users ?? 2,
    options.trials ?? 1,
  );
  const plan = makePlan(experiment);
  const deployment = deploymentOf(experiment, plan, FIRST_PORT);
  fake = await startFakeFargate({ deployment, imageTag: await imageTag(experiment) });
  const runner = await openFargateRunner(
    {
      experiment,
      plan,
      toRun: plan,
      show: false,
      signal: options.signal ?? new AbortController().signal,
      observer: {
        onNotice: (text) => notices.push(text),
        onPhase: (phase) => options.onPhase?.(phase),
        onRecords: () => {},
      },
    },
    {
      aws: clientsAt(fake),
      pace: { ...TEST_PACE, pollMs: 100, startLimitMs: 5000, stopLimitMs: 30_000 },
      firstPort: FIRST_PORT,
    },
  );
  return { runner, plan };
}

const alive = () => fake.ecs.tasks.filter(({ status }) => status !== 'STOPPED');
const rules = () => [...fake.account.of(HOME).securityGroups.values()].flatMap((group) => [...group.keys()]);
/** Enough where the run ends before anybody types. */
const ONE_USER = { regions: REGIONS.slice(0, 1), users: 1 };
const interruption = { stopCode: 'SpotInterruption', reason: 'Your Spot Task was interrupted.' };

describe('a run on Fargate', () => {
  test('a user is taken away, the trial is run again, and its files are here', async () => {
    let warmUps = 0;
    const { runner, plan } = await open({
      onPhase: (phase) => {
        // The first time with SIGTERM, the second time without.
        if (phase !== 'warm-up' || ++warmUps > 2) return;
        const user = alive().find(({ region }) => region === REGIONS[0])!;
        void fake.ecs.end(user, { ...interruption, unannounced: warmUps === 2 });
      },
    });
    const trial = plan[0]!;
    const directory = join(folder, trial.directory);
    expect(rules()).toEqual([`${FAKE_ADDRESS}/32`]);

    const verdict = await runner.runTrial(trial, directory);
    expect(verdict.reasons).toEqual([]);
    expect(verdict.converged).toBe(true);
    expect(JSON.parse(await readFile(join(directory, 'verdict.json'), 'utf8'))).toEqual(verdict);
    expect((await readdir(join(directory, 'records'))).sort()).toEqual(
      ['coordinator', 'server', 'user-000', 'user-001'].map((name) => `${name}.ndjson.gz`),
    );
    // The first attempts are kept, where the analysis does not look.
    const attempts = await Promise.all(
      [1, 2].map((attempt) =>
        readFile(join(folder, 'interrupted', `${trial.cell}-1-attempt-${attempt}`, 'verdict.json'), 'utf8'),
      ),
    );
    for (const attempt of attempts) expect(JSON.parse(attempt)).toMatchObject({ verdict: 'invalid' });
    expect(attempts.map((attempt) => attempt.includes('SIGTERM'))).toEqual([true, false]);
    expect(notices.join('\n')).toMatch(/task .* in us-west-1: AWS took the spot task back/);

    const started = fake.ecs.tasks.map(
      ({ region, family, spot }) => `${region} ${family} ${spot ? 'spot' : 'on demand'}`,
    );
    expect(started.sort()).toEqual(
      [
        `${HOME} scriptorium-far-and-wide-coordinator on demand`,
        `${HOME} scriptorium-far-and-wide-server on demand`,
        // One of them three times.
        ...[...REGIONS, REGIONS[0], REGIONS[0]].map((region) => `${region} scriptorium-far-and-wide-noquill-1 spot`),
      ].sort(),
    );
    await runner.close();
    expect(alive()).toEqual([]);
    expect(rules()).toEqual([]);
    expect(notices.at(-1)).toMatch(/No task is left.*fargate clean far-and-wide/);
  }, 180_000);

  test('where a container fails, its neighbours end too, the trial stays invalid, and the next one has all users', async () => {
    let warmUps = 0;
    const { runner, plan } = await open({
      regions: REGIONS.slice(0, 1),
      usersPerTask: 2,
      trials: 2,
      onPhase: (phase) => {
        if (phase !== 'warm-up' || ++warmUps > 1) return;
        const users = alive().find(({ region }) => region === REGIONS[0])!;
        void fake.ecs.end(users, {
          stopCode: 'EssentialContainerExited',
          reason: 'Essential container in task exited',
        });
      },
    });
    const trial = plan[0]!;
    const directory = join(folder, trial.directory);
    const verdict = await runner.runTrial(trial, directory);
    expect(verdict.verdict).toBe('invalid');
    expect(JSON.parse(await readFile(join(directory, 'verdict.json'), 'utf8'))).toEqual(verdict);
    expect(await readdir(folder)).toEqual(['trials']);
    expect(warmUps).toBe(1);
    expect(notices.join('\n')).toMatch(/"noquill-2" task .* in us-west-1: Essential container in task exited/);

    const next = await runner.runTrial(plan[1]!, join(folder, plan[1]!.directory));
    expect(next.reasons).toEqual([]);
    await runner.close();
    expect(alive()).toEqual([]);
  }, 180_000);

  test('what may still run in the end is an error that says how to end it', async () => {
    const { runner } = await open({});
    fake.refusals.push({
      operation: 'ListTasks',
      region: HOME,
      times: 9,
      code: 'AccessDeniedException',
      message: 'no',
    });
    await expect(runner.close()).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(
        /still run, and cost money:\n {2}whatever runs in us-east-1 .*fargate clean far-and-wide/s,
      ),
    });
  }, 120_000);

  test('Ctrl-C leaves no task', async () => {
    const interrupted = new AbortController();
    const { runner, plan } = await open({
      ...ONE_USER,
      signal: interrupted.signal,
      onPhase: (phase) => phase === 'serve' && interrupted.abort(new Error('Ctrl-C')),
    });
    await expect(runner.runTrial(plan[0]!, join(folder, plan[0]!.directory))).rejects.toThrow('Ctrl-C');
    await runner.close();
    expect(alive()).toEqual([]);
  }, 120_000);

  test('where the coordinator is lost, the run ends with what to do, and leaves no task', async () => {
    const { runner, plan } = await open({
      ...ONE_USER,
      onPhase: (phase) => {
        const task = alive().find(({ family }) => family.endsWith('coordinator'))!;
        if (phase === 'serve') void fake.ecs.end(task, { stopCode: 'InfrastructureHealth', reason: 'host failed' });
      },
    });
    await expect(runner.runTrial(plan[0]!, join(folder, plan[0]!.directory))).rejects.toThrow(
      /coordinator at 127.0.0.1 is lost.*--resume goes on/,
    );
    expect(notices.join('\n')).toMatch(/"coordinator" task .* in us-east-1: host failed/);
    await runner.close();
    expect(alive()).toEqual([]);
  }, 120_000);
});

/** Runs on Fargate as a person starts them, on the fake AWS: its containers are processes, all else is as it would be. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findFrameworks } from '../../../frameworks/discover.ts';
import type { Phase } from '../../../results/formats/records.ts';
import { setAside } from '../../../results/run-folder/run-folder.ts';
import { clientsAt, TEST_PACE } from '../../../tests/aws/example.ts';
import { FAKE_ADDRESS, startFakeFargate } from '../../../tests/aws/processes.ts';
import type { FakeAws } from '../../../tests/aws/server.ts';
import type { Fate, TaskEnd } from '../../../tests/aws/tasks.ts';
import { folderOfEachTest } from '../../../tests/folders.ts';
import { Refusals } from '../../attached/attach.ts';
import { SERVER_READ_ONLY, SERVER_REFUSED } from '../../attached/refusals.ts';
import { startHocuspocus } from '../../attached/test-data/foreign-servers.ts';
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

const folder = folderOfEachTest();
let fake: FakeAws;
let notices: string[];
beforeEach(() => {
  notices = [];
});
afterEach(() => fake.close());

const experimentWith = (
  regions: readonly string[],
  {
    usersPerTask,
    trials,
    attached,
  }: { usersPerTask: number; trials: number; attached?: { url: string; token: string } },
): Experiment => {
  const framework = attached === undefined ? 'yjs' : 'yjs-hocuspocus';
  const experiment = resolveExperiment(
    {
      name: 'Far_and_wide',
      frameworks: framework,
      // Without a browser: tasks and trials come and go here, and no time is judged.
      modes: 'node',
      // One less than there is room for.
      users: Math.max(1, regions.length * usersPerTask - 1),
      trials,
      durations: { warmUp: '1s', measure: '1s', profile: '0s', settle: '20s' },
      typing: { keysPerSecond: 10, sigilPeriod: '1s' },
      limits: { clockError: '50ms' },
      fleet: { on: 'fargate', region: HOME, fargate: { reachedFrom: FAKE_ADDRESS, usersPerTask } },
      network: {
        groups: regions.map((region) => ({ name: region, share: 1 / regions.length, oneWayDelay: '30ms', region })),
      },
    },
    { frameworks: [{ name: framework, about: {} }] },
  );
  // A loopback address is refused; here it is that of all "machines".
  const named = attached === undefined ? [] : [{ ...WAYS, ...attached, framework }];
  return { ...experiment, servers: { counts: [1], attached: named } };
};
const WAYS = {
  headers: [],
  ca: null,
  joinEveryMs: 0,
  write: false,
  pid: null,
  container: null,
  metrics: null,
  series: [],
};

async function open(options: {
  regions?: readonly string[];
  usersPerTask?: number;
  trials?: number;
  fates?: Fate[];
  attached?: { url: string; token: string };
  onPhase?: (phase: Phase) => void;
  signal?: AbortSignal;
}) {
  const { regions = REGIONS.slice(0, 1), usersPerTask = 1, trials = 1, fates = [] } = options;
  const experiment = experimentWith(regions, { usersPerTask, trials, attached: options.attached });
  const frameworks = await findFrameworks(experiment.frameworks);
  const plan = makePlan(experiment);
  const deployment = deploymentOf(experiment, plan, FIRST_PORT);
  fake = await startFakeFargate(deployment, await imageTag(frameworks), {
    fateOf: ({ region }) => (region === REGIONS[0] && fates.shift()) || { kind: 'runs' },
  });
  const runner = await openFargateRunner(
    {
      experiment,
      frameworks,
      plan,
      toRun: plan,
      refusals: new Refusals(),
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
      pace: { ...TEST_PACE, pollMs: 50, startLimitMs: 1000, stopLimitMs: 30_000 },
      firstPort: FIRST_PORT,
    },
  );
  return { runner, trials: plan.map((trial) => ({ trial, directory: folder.in(trial.directory) })) };
}

const alive = () => fake.alive;
const rules = () => [...fake.in(HOME).securityGroups.values()].flatMap((group) => [...group]);
const verdictIn = async (directory: string) => JSON.parse(await readFile(join(directory, 'verdict.json'), 'utf8'));
/** Ends of a user task, in order, each as soon as its users are ready; the second without SIGTERM. */
const ENDS: TaskEnd[] = [
  { stopCode: 'SpotInterruption', reason: 'Your Spot Task was interrupted.' },
  { stopCode: 'EssentialContainerExited', reason: 'Essential container in task exited', unannounced: true },
];

describe('a run on Fargate', () => {
  test('tasks are lost: to AWS, and the trial is run again; to a failed container, and it stays invalid; Ctrl-C leaves none', async () => {
    const ends = [...ENDS];
    const interrupted = new AbortController();
    let isLast = false;
    const { runner, trials } = await open({
      regions: REGIONS,
      usersPerTask: 2,
      trials: 3,
      signal: interrupted.signal,
      // The first user task of the first region never starts.
      fates: [{ kind: 'hangs' }],
      onPhase(phase) {
        const end = phase === 'idle' ? ends.shift() : undefined;
        if (end) void fake.end(alive().find(({ region }) => region === REGIONS[0])!, end);
        if (phase === 'serve' && isLast) interrupted.abort(new Error('Ctrl-C'));
      },
    });
    expect(rules()).toEqual(['21400-21400', '21401-21403'].map((ports) => `${FAKE_ADDRESS}/32 ${ports}`));

    const [failed, next, last] = trials;
    const interruptedByAws = await runner.runTrial(failed!.trial, failed!.directory);
    expect(interruptedByAws.verdict).toBe('invalid');
    expect(interruptedByAws.reasons).toContainEqual({
      code: 'machine-stolen',
      message: expect.stringMatching(/in us-west-1: AWS took the spot task back/),
    });
    // As the run loop does, here and at the coordinator; of the last attempt, this is the verdict that stays.
    const kept = await verdictIn(await setAside(failed!.directory));
    expect(kept).toEqual(interruptedByAws);
    const invalid = await runner.runTrial(failed!.trial, failed!.directory);
    expect(invalid.verdict).toBe('invalid');
    expect(await verdictIn(failed!.directory)).toEqual(invalid);
    const seen = notices.join('\n');
    expect(seen).toMatch(/task .* did not start within 1 s/);
    expect(seen).toMatch(/task .* in us-west-1: AWS took the spot task back/);
    expect(seen).toMatch(/"node-2" task .* in us-west-1: Essential container in task exited/);

    const verdict = await runner.runTrial(next!.trial, next!.directory);
    expect(verdict.reasons).toEqual([]);
    expect(verdict.converged).toBe(true);
    expect(await verdictIn(next!.directory)).toEqual(verdict);
    expect(ends).toEqual([]);
    expect((await readdir(join(next!.directory, 'records'))).sort()).toEqual(
      ['coordinator', 'server', 'user-000', 'user-001', 'user-002'].map((name) => `${name}.ndjson.gz`),
    );
    // The users of the attempt that AWS ended heard of its end.
    expect([kept, invalid].map((each) => JSON.stringify(each).includes('SIGTERM'))).toEqual([true, false]);

    const started = fake.tasks.map(({ region, family, spot }) => `${region} ${family} ${spot ? 'spot' : 'on demand'}`);
    expect(started.sort()).toEqual([
      `${REGIONS[1]} scriptorium-far-and-wide-node-1 spot`,
      `${HOME} scriptorium-far-and-wide-coordinator on demand`,
      `${HOME} scriptorium-far-and-wide-server on demand`,
      // Once more for the one that never started, and for each end.
      ...Array(4).fill(`${REGIONS[0]} scriptorium-far-and-wide-node-2 spot`),
    ]);

    isLast = true;
    await expect(runner.runTrial(last!.trial, last!.directory)).rejects.toThrow('Ctrl-C');
    // One region cannot be asked in the end, and then can.
    fake.refusals.push({
      operation: 'ListTasks',
      region: HOME,
      times: 1,
      code: 'AccessDeniedException',
      message: 'no',
    });
    await expect(runner.close()).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(
        /still run, and cost money:\n {2}whatever runs in us-east-1 .*fargate clean far-and-wide/s,
      ),
    });
    await runner.close();
    expect(alive()).toEqual([]);
    expect(rules()).toEqual([]);
    expect(notices.at(-1)).toMatch(/No task is left.*fargate clean far-and-wide/);
  });

  test('a trial that the coordinator ends before this machine asks for it is not lost', async () => {
    const { runner, trials } = await open({ trials: 2 });
    const [first, second] = trials;
    const verdict = await runner.runTrial(first!.trial, first!.directory);
    // As while a long report is written.
    await expect.poll(() => existsSync(folder.in('incoming/verdict.json')), { timeout: 60_000 }).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const next = await runner.runTrial(second!.trial, second!.directory);
    expect([await verdictIn(first!.directory), await verdictIn(second!.directory)]).toEqual([verdict, next]);
    await runner.close();
  });

  test('users go to a server that somebody else runs: no task is a server, AWS hears no secret, and its refusal is told', async () => {
    const secret = 'a-s3cret-that-writes';
    vi.stubEnv('COLLAB_TOKEN', secret);
    const server = await startHocuspocus({ writer: secret, reader: 'another' });
    const url = `ws://127.0.0.1:${server.port}`;
    const attached = { url, token: '{env:COLLAB_TOKEN}' };
    const { runner, trials } = await open({ usersPerTask: 3, trials: 2, attached });
    const [first, second] = trials;
    const verdict = await runner.runTrial(first!.trial, first!.directory);
    expect(verdict).toMatchObject({ reasons: [], converged: true });
    expect(notices.join('\n')).toMatch(/the document at ws:\S+: scriptorium-/);
    // As of a trial that was refused: the coordinator says that the run goes on. Then as of the last, which took no edit.
    const heed = (code: string) => runner.heed!(first!.trial, { ...verdict, reasons: [{ code, message: 'so it is' }] });
    await Promise.all([heed(SERVER_REFUSED), server.stop()]);
    const over = { exitCode: 3, message: `${url} refused 2 trials, the last so: so it is` };
    await expect(heed(SERVER_READ_ONLY)).rejects.toMatchObject(over);
    // In the words of the coordinator, which is not lost.
    const gone = { exitCode: 3, message: expect.stringMatching(/^the server cannot be reached: .*ECONNREFUSED/) };
    await expect(runner.runTrial(second!.trial, second!.directory)).rejects.toMatchObject(gone);
    await runner.close();
    // One that is late or ends on a full machine is started once more.
    const started = fake.tasks.map(({ family }) => family.replace(/.*-wide-/, ''));
    expect(new Set(started)).toEqual(new Set(['coordinator', 'node-2']));
    expect(JSON.stringify([fake.calls, notices])).not.toContain(secret);
    vi.unstubAllEnvs();
  });

  test('if the coordinator is lost, the run ends with what to do, and leaves no task', async () => {
    const { runner, trials } = await open({
      onPhase: (phase) => {
        const task = alive().find(({ family }) => family.endsWith('coordinator'))!;
        if (phase === 'serve') void fake.end(task, { stopCode: 'InfrastructureHealth', reason: 'host failed' });
      },
    });
    await expect(runner.runTrial(trials[0]!.trial, trials[0]!.directory)).rejects.toThrow(
      /coordinator at 127.0.0.1 is lost.*same command again, with --resume/,
    );
    expect(notices.join('\n')).toMatch(/"coordinator" task .* in us-east-1: host failed/);
    await runner.close();
    expect(alive()).toEqual([]);
  });
});

/** A whole experiment on Fargate, from the command line to its summary, on the fake AWS. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../../infra/project.ts';
import { summarySchema } from '../../../results/formats/summary.ts';
import { FAKE_ADDRESS, startFakeFargate } from '../../../tests/aws/fake-fargate.ts';
import type { FakeAws } from '../../../tests/aws/server.ts';
import { loadExperiment } from '../../experiment/experiment-file.ts';
import { makePlan } from '../../experiment/plan.ts';
import { deploymentOf } from './deployment.ts';
import { imageTag } from './on-aws.ts';

const EXPERIMENT = `
name: on-fargate
frameworks: yjs
modes: noquill
users: 2
trials: 1
durations: { warmUp: 1s, measure: 5s, profile: 1s, settle: 20s }
typing: { keysPerSecond: 10, sigilPeriod: 1s }
limits: { clockError: 50ms }
fleet: { on: fargate, region: us-east-1, fargate: { reachedFrom: ${FAKE_ADDRESS} } }
network:
  groups:
    - { name: west, share: 0.5, oneWayDelay: 30ms, region: us-west-1 }
    - { name: north, share: 0.5, oneWayDelay: 55ms, region: eu-north-1 }
`;

let folder: string;
let file: string;
let fake: FakeAws;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fargate-cli-'));
  file = join(folder, 'experiment.yaml');
  await writeFile(file, EXPERIMENT);
  const experiment = await loadExperiment({ path: file });
  const deployment = deploymentOf(experiment, makePlan(experiment));
  fake = await startFakeFargate({ deployment, imageTag: await imageTag(experiment) });
});
afterAll(async () => {
  await fake.close();
  await rm(folder, { recursive: true });
});

function start(...args: string[]) {
  return spawn(process.execPath, ['cli/main.ts', ...args], {
    cwd: PROJECT_ROOT,
    env: {
      ...process.env,
      AWS_ENDPOINT_URL: fake.endpoint,
      AWS_ACCESS_KEY_ID: 'AKIDTEST',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: 'us-east-1',
    },
  });
}

async function cli(...args: string[]) {
  const child = start(...args);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

describe('the command line on AWS', () => {
  test('runs users in two regions to a valid summary, and leaves no task', async () => {
    const out = join(folder, 'run');
    const { code, stdout, stderr } = await cli('run', file, '--out', out, '--json');
    expect(stderr).toContain('yjs-noquill-2, trial 1: valid');
    expect(code).toBe(0);
    const [cell] = summarySchema.parse(JSON.parse(stdout)).cells;
    expect(cell).toMatchObject({ framework: 'yjs', users: 2, verdict: 'valid', converged: true });
    expect(cell!.endToEndLatencyMs.p50).toBeGreaterThan(0);
    const environment = await readFile(join(out, 'environment.json'), 'utf8');
    expect(JSON.parse(environment)).toMatchObject({
      fleet: 'fargate',
      serverRegion: 'us-east-1',
      regions: ['us-east-1', 'us-west-1', 'eu-north-1'],
      coordinatorTask: { availabilityZone: 'us-east-1a', launchType: 'FARGATE', clockErrorMs: 0.5 },
    });
    expect(fake.ecs.tasks.map(({ region, status }) => `${region} ${status}`).sort()).toEqual([
      'eu-north-1 STOPPED',
      'us-east-1 STOPPED',
      'us-east-1 STOPPED',
      'us-west-1 STOPPED',
    ]);
    // Containers' secrets stay out of all that is kept.
    const told = fake.ecs.tasks.flatMap(({ environment: containers }) => Object.values(containers));
    const tokens = new Set(told.map(({ SCRIPTORIUM_TOKEN: token }) => token!));
    expect(tokens.size).toBe(2);
    for (const token of tokens) expect(environment + stderr + stdout).not.toContain(token);
  }, 240_000);

  test('a killed run leaves tasks that end by themselves', async () => {
    const before = fake.ecs.tasks.length;
    const run = start('run', file, '--out', join(folder, 'killed'));
    const states = () => fake.ecs.tasks.slice(before).map(({ status }) => status);
    let stderr = '';
    run.stderr.on('data', (text) => {
      stderr += text;
    });
    // All are at work then.
    await expect.poll(() => stderr, { timeout: 80_000 }).toContain('trial 1 · serve');
    expect(states()).toEqual(Array(4).fill('RUNNING'));
    run.kill('SIGKILL');
    await expect.poll(states, { timeout: 60_000, interval: 100 }).toEqual(Array(4).fill('STOPPED'));
  }, 180_000);

  test('shows what stands, and says when there is nothing', async () => {
    const status = await cli('fargate', 'status');
    expect(status.stdout).toMatch(/^on-fargate: no task runs/);
    expect(status.stdout).toMatch(/eu-north-1 +scriptorium-on-fargate +CREATE_COMPLETE/);
    for (const region of fake.account.regions) fake.account.of(region).stacks.clear();
    const [nothing, run] = await Promise.all([
      cli('fargate', 'status'),
      cli('run', file, '--out', join(folder, 'another')),
    ]);
    expect(nothing.stdout).toMatch(/^Nothing of this project is on AWS/);
    expect(run).toMatchObject({ code: 3 });
    expect(run.stderr).toMatch(/stack scriptorium-on-fargate is missing in us-east-1; call .*fargate up/);
  }, 180_000);
});

/** A whole experiment on Fargate, from the command line to its summary, on the fake AWS. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '../../../infra/project.ts';
import { summarySchema } from '../../../results/formats/summary.ts';
import { FAKE_ADDRESS, startFakeFargate } from '../../../tests/aws/processes.ts';
import type { FakeAws } from '../../../tests/aws/server.ts';
import { folderOfAllTests } from '../../../tests/folders.ts';
import { loadExperiment } from '../../experiment/experiment-file.ts';
import { makePlan } from '../../experiment/plan.ts';
import { deploymentOf } from './deployment.ts';
import fleet from './fleet.ts';
import { imageTag } from './on-aws.ts';

const EXPERIMENT = `
name: on-fargate
frameworks: yjs
modes: node
users: 2
trials: 1
durations: { warmUp: 1s, measure: 6s, profile: 0s, settle: 20s }
typing: { keysPerSecond: 10, sigilPeriod: 1s }
limits: { clockError: 50ms }
fleet: { on: fargate, region: us-east-1, fargate: { reachedFrom: ${FAKE_ADDRESS} } }
network:
  groups:
    - { name: west, share: 0.5, oneWayDelay: 30ms, region: us-west-1 }
    - { name: north, share: 0.5, oneWayDelay: 55ms, region: eu-north-1 }
`;

const folder = folderOfAllTests();
let file: string;
let fake: FakeAws;
beforeAll(async () => {
  file = folder.in('experiment.yaml');
  await writeFile(file, EXPERIMENT);
  const { experiment, frameworks } = await loadExperiment({ path: file });
  const deployment = deploymentOf(experiment, makePlan(experiment));
  fake = await startFakeFargate(deployment, await imageTag(frameworks));
  // As a person has them; processes that are started here inherit them.
  vi.stubEnv('AWS_ENDPOINT_URL', fake.endpoint);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDTEST');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('AWS_REGION', 'us-east-1');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await fake.close();
});

const run = (...args: string[]) =>
  spawn(process.execPath, ['cli/main.ts', 'run', file, ...args], { cwd: PROJECT_ROOT });

/** Output of `fargate …` in this process. */
async function fargate(...args: string[]): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const program = new Command().exitOverride();
  fleet.addCommands(program);
  try {
    await program.parseAsync(['fargate', ...args], { from: 'user' });
    return log.mock.calls.join('\n');
  } finally {
    log.mockRestore();
  }
}

describe('the command line on AWS', () => {
  test('runs users in two regions to a valid summary, and leaves no task', async () => {
    const out = folder.in('run');
    const child = run('--out', out, '--json');
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect(stderr).toContain('yjs-node-2, trial 1: valid');
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
    expect(fake.tasks.map(({ region, status }) => `${region} ${status}`).sort()).toEqual([
      'eu-north-1 STOPPED',
      'us-east-1 STOPPED',
      'us-east-1 STOPPED',
      'us-west-1 STOPPED',
    ]);
    // Containers' secrets stay out of all that is kept.
    const told = fake.tasks.flatMap(({ environment: containers }) => Object.values(containers));
    const tokens = new Set(told.map(({ SCRIPTORIUM_TOKEN: token }) => token!));
    expect(tokens.size).toBe(2);
    for (const token of tokens) expect(environment + stderr + stdout).not.toContain(token);
  });

  test('a killed run leaves tasks that end by themselves', async () => {
    const before = fake.tasks.length;
    const child = run('--out', folder.in('killed'));
    const states = () => fake.tasks.slice(before).map(({ status }) => status);
    // All are at work then.
    let latest = '';
    for await (latest of createInterface(child.stderr)) if (latest.includes(' · serve · ')) break;
    expect(latest).toContain(' · serve · ');
    expect(states()).toEqual(Array(4).fill('RUNNING'));
    child.kill('SIGKILL');
    await expect.poll(states, { timeout: 60_000 }).toEqual(Array(4).fill('STOPPED'));
  });

  test('shows all that stands, and says if there is nothing', async () => {
    const standing = await fargate('status');
    expect(standing).toMatch(/^on-fargate: no task runs/);
    expect(standing).toMatch(/eu-north-1 +scriptorium-on-fargate +CREATE_COMPLETE/);
    expect(await fargate('plan', file)).toMatch(/us-west-1, spot: 0.\d+\n.*cost: about/s);
    await expect(fargate('clean')).rejects.toThrow(/name the experiment to clean up, or say --all/);
    for (const { stacks } of fake.regions.values()) stacks.clear();
    expect(await fargate('status')).toMatch(/^Nothing of this project is on AWS/);
  });

  test('a run without its stacks is refused', async () => {
    const child = run('--out', folder.in('another'));
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(stderr).toMatch(/stack scriptorium-on-fargate is missing in us-east-1; call .*fargate up/);
    expect(code).toBe(3);
  });
});

/**
 * The stacks, against an emulator of AWS that others wrote (moto), and the template under AWS's own linter; both from PyPI. moto
 * knows nothing of how tasks start and fail: that is what the fake in tests/aws is for. Runs with `./scriptorium test --aws`,
 * because it installs 200 MB first.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteStackCommand } from '@aws-sdk/client-cloudformation';
import { DescribeSecurityGroupsCommand } from '@aws-sdk/client-ec2';
import { CreateRepositoryCommand, PutImageCommand } from '@aws-sdk/client-ecr';
import { DescribeTaskDefinitionCommand } from '@aws-sdk/client-ecs';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { AWAY, clientsAt, EXAMPLE, HOME, TEST_PACE, TEST_TAG, testImage } from '../../tests/aws/example.ts';
import { temporaryFolder } from '../../tests/folders.ts';
import { freePort } from '../network/listen-on.ts';
import { checkAccount, findNetwork } from './account.ts';
import { clean, readStatus } from './clean.ts';
import type { Aws } from './clients.ts';
import { admit } from './doors.ts';
import type { Deployment } from './plan/deployment.ts';
import { listTasks, runTasks, stopTasks } from './tasks.ts';
import { stackTemplate } from './template.ts';
import { requireStanding, up } from './up.ts';

const REQUIREMENTS = join(import.meta.dirname, '../../tests/aws/requirements.txt');
const VENV = join(import.meta.dirname, '../../.scriptorium/aws-tests');
const INSTALL_LIMIT_MS = 240_000;
const START_LIMIT_MS = 30_000;
const CALLER = '203.0.113.7';
const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const PACE = { ...TEST_PACE, startLimitMs: 10_000 };

const asked = process.env.SCRIPTORIUM_TEST_AWS === '1';
/** Null if they are there; else why they cannot be. */
const missing = asked ? install() : 'it runs with ./scriptorium test --aws';
// A person who asks for this test is not to be told that all is well if nothing was tested.
if (asked && missing !== null) throw new Error(`moto and cfn-lint cannot be installed: ${missing}`);

function install(): string | null {
  const pip = join(VENV, 'bin/pip');
  const commands = existsSync(pip) ? [] : [['python3', '-m', 'venv', VENV]];
  for (const [command, ...args] of [...commands, [pip, 'install', '--quiet', '--requirement', REQUIREMENTS]]) {
    const { status, error, stderr } = spawnSync(command!, args, { encoding: 'utf8', timeout: INSTALL_LIMIT_MS });
    if (status !== 0) return `${command} ${args.join(' ')} failed: ${(error?.message ?? stderr).trim().slice(-500)}`;
  }
  return null;
}

let server: ChildProcess;
let endpoint: string;
let aws: Aws;
let said: string[];

beforeAll(async () => {
  if (missing !== null) return;
  const port = await freePort();
  server = spawn(join(VENV, 'bin/moto_server'), ['-H', '127.0.0.1', '-p', `${port}`], { stdio: 'ignore' });
  endpoint = `http://127.0.0.1:${port}`;
  aws = clientsAt({ endpoint });
  await vi.waitFor(() => fetch(`${endpoint}/moto-api/`), { timeout: START_LIMIT_MS, interval: 200 });
}, INSTALL_LIMIT_MS);
afterAll(() => void server?.kill());
beforeEach(async () => {
  said = [];
  if (missing !== null) return;
  await fetch(`${endpoint}/moto-api/reset`, { method: 'POST' });
  // Else each look at a task moves it on towards its end.
  await fetch(`${endpoint}/moto-api/state-manager/set-transition`, {
    method: 'POST',
    body: JSON.stringify({ model_name: 'ecs::task', transition: { progression: 'manual', times: 1_000_000 } }),
  });
});

const say = (text: string) => void said.push(text);

/** A push that moto knows of. */
const image = testImage(async (remoteName) => {
  const [, region, repositoryName] = /\.ecr\.([^.]+)\.[^/]+\/([^:]+):/.exec(remoteName)!;
  const imageManifest = JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config: {}, layers: [] });
  await aws(region!).ecr.send(new PutImageCommand({ repositoryName, imageTag: TEST_TAG, imageManifest }));
});

async function upOnMoto(deployment: Deployment = EXAMPLE): Promise<string[]> {
  said = [];
  const networks = await checkAccount(aws, deployment, []);
  await up({ aws, deployment, networks, image, pace: PACE, say });
  return said.filter((text) => text.includes('the stack'));
}

const cleanOnMoto = (id: string | null) => clean({ aws, regions: [HOME, AWAY], id, pace: PACE, say });
const standing = () => requireStanding(aws, EXAMPLE, TEST_TAG);

describe.skipIf(missing !== null)('on moto', () => {
  test('up makes what is missing, up again changes nothing, clean removes all of it, and again finds nothing', async () => {
    await expect(standing()).rejects.toThrow(/stack scriptorium-example is missing in us-east-1; call .*fargate up/);
    expect((await upOnMoto()).sort()).toEqual(
      [AWAY, HOME].map((region) => `${region}: the stack scriptorium-example is created`),
    );
    expect(said).toContain(`${HOME}: scriptorium-example CREATE_COMPLETE`);
    expect((await upOnMoto()).sort()).toEqual(
      [AWAY, HOME].map((region) => `${region}: the stack scriptorium-example is unchanged`),
    );
    expect([...(await standing()).keys()]).toEqual([HOME, AWAY]);

    expect(await readStatus(aws, [HOME, AWAY])).toMatchObject(
      [HOME, AWAY].map((region) => ({ stack: { id: 'example', region }, tasks: [] })),
    );
    const { removed, left } = await cleanOnMoto(null);
    expect(left).toEqual([]);
    expect(removed).toEqual(
      expect.arrayContaining([HOME, AWAY].map((region) => `${region}: stack scriptorium-example`)),
    );
    expect(await cleanOnMoto('example')).toEqual({ removed: [], left: [] });
    expect(await cleanOnMoto(null)).toEqual({ removed: [], left: [] });
    expect(await readStatus(aws, [HOME, AWAY])).toEqual([]);
  });

  test('a deployment that has changed changes its stack, and only a run that needs the change minds', async () => {
    await upOnMoto();
    const [coordinator, users] = EXAMPLE.kinds;
    const larger = { ...EXAMPLE, kinds: [coordinator!, { ...users!, size: { cpuUnits: 1024, memoryMiB: 2048 } }] };
    await expect(requireStanding(aws, larger, TEST_TAG)).rejects.toThrow(
      /has not the tasks "noquill-1" .* in eu-north-1; call/,
    );
    await expect(requireStanding(aws, EXAMPLE, 'other')).rejects.toThrow(/other sources/);
    expect((await upOnMoto(larger)).sort()).toEqual([
      `${AWAY}: the stack scriptorium-example is changed`,
      `${HOME}: the stack scriptorium-example is unchanged`,
    ]);
    const { taskDefinition } = await aws(AWAY).ecs.send(
      new DescribeTaskDefinitionCommand({ taskDefinition: 'scriptorium-example-noquill-1' }),
    );
    // Of a changed definition moto tells no more.
    expect(taskDefinition).toMatchObject({ revision: 2, memory: '2048' });
    await requireStanding(aws, larger, TEST_TAG);
  });

  test('a resource that cannot be made is told with why, and nothing of it is left', async () => {
    // Somebody else's, of the same name.
    await aws(HOME).ecr.send(new CreateRepositoryCommand({ repositoryName: 'scriptorium-example' }));
    await expect(upOnMoto()).rejects.toThrow(/stack scriptorium-example.* in us-east-1.*already exists/);
    // AWS does so by itself (OnFailure: DELETE). moto does not, and answers no question about such a stack.
    await aws(HOME).cloudFormation.send(new DeleteStackCommand({ StackName: 'scriptorium-example' }));
    expect((await cleanOnMoto('example')).left).toEqual([]);
    expect(await cleanOnMoto('example')).toEqual({ removed: [], left: [] });
  });

  test('clean removes one of two experiments, or both at once', async () => {
    const other = { ...EXAMPLE, id: 'other' };
    const ids = async () => new Set((await readStatus(aws, [HOME, AWAY])).map(({ stack }) => stack.id));
    for (const deployment of [EXAMPLE, other]) await upOnMoto(deployment);
    expect((await cleanOnMoto('other')).left).toEqual([]);
    expect(await ids()).toEqual(new Set(['example']));
    await upOnMoto(other);
    const { removed, left } = await cleanOnMoto(null);
    expect(left).toEqual([]);
    expect(removed.filter((what) => what.includes('stack')).sort()).toEqual(
      [AWAY, HOME].flatMap((region) => ['example', 'other'].map((id) => `${region}: stack scriptorium-${id}`)),
    );
    expect(await ids()).toEqual(new Set());
    for (const id of ['example', 'other']) expect(await cleanOnMoto(id)).toEqual({ removed: [], left: [] });
  });

  test('tasks start in a stack, pass its doors, and stop', async () => {
    await upOnMoto();
    const stacks = await standing();
    const clients = aws(AWAY);
    const { subnetIds } = await findNetwork(clients);
    const { arns, errors } = await runTasks(
      clients,
      {
        ...{ deploymentId: 'example', kind: 'noquill-1', count: 12, spot: true, runId: 'run-1', subnetIds },
        securityGroupIds: [stacks.get(AWAY)!.outputs.UserGroup!],
        variables: { 'user-1': { SCRIPTORIUM_ROLE: 'users' } },
      },
      new AbortController().signal,
    );
    expect(errors).toEqual([]);
    expect(arns).toHaveLength(12);
    expect(await listTasks(clients, 'example', { startedBy: 'run-1' })).toHaveLength(12);

    const groupIds = stacks.get(HOME)!.outputs.Doors!.split(',');
    const caller = { address: CALLER, from: 7400, to: 7400 };
    const admitOnly = (...numbers: number[]) => {
      const tasks = numbers.map((number) => ({ address: `198.51.100.${number}`, ...EXAMPLE.ports.tasks }));
      return admit(aws(HOME), groupIds, [caller, ...tasks]);
    };
    const ranges = async () => {
      const { SecurityGroups = [] } = await aws(HOME).ec2.send(
        new DescribeSecurityGroupsCommand({ GroupIds: groupIds }),
      );
      return SecurityGroups.map(({ IpPermissions = [] }) =>
        IpPermissions.flatMap(({ FromPort, IpRanges = [] }) => IpRanges.map(({ CidrIp }) => `${CidrIp} ${FromPort}`)),
      ).sort((a, b) => b.length - a.length);
    };
    await admitOnly(1, 2);
    await admitOnly(2);
    expect((await ranges()).flat().sort()).toEqual([`198.51.100.2/32 7401`, `${CALLER}/32 7400`]);
    await admitOnly(...Array(150).keys());
    expect((await ranges()).map((group) => group.length)).toEqual([60, 60, 31, 0, 0]);
    await admit(aws(HOME), groupIds, []);
    expect((await ranges()).flat()).toEqual([]);

    expect(await stopTasks(clients, 'example', { pace: PACE, say })).toEqual([]);
    expect((await cleanOnMoto(null)).left).toEqual([]);
  });
});

test.skipIf(missing !== null)(
  'the template, and what up makes of it, lint clean',
  async () => {
    await using folder = await temporaryFolder();
    const made = folder.in('made.json');
    await writeFile(made, JSON.stringify(await stackTemplate(EXAMPLE, HOME)));
    const lint = spawnSync(join(VENV, 'bin/cfn-lint'), [join(import.meta.dirname, 'stack.yaml'), made], {
      encoding: 'utf8',
    });
    expect(lint.stdout + lint.stderr).toBe('');
    expect(lint.status).toBe(0);
  },
  60_000,
);

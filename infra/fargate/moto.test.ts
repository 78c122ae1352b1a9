/**
 * The shape of the calls, against an emulator of AWS that others wrote (moto, from PyPI). It knows nothing of how tasks
 * start and fail: that is what the fake is for. Runs with `./scriptorium test --aws`, because it installs 150 MB first.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PutImageCommand } from '@aws-sdk/client-ecr';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AWAY, EXAMPLE, HOME, TEST_PACE } from '../../tests/aws/example.ts';
import { type Aws, connectAws } from './clients.ts';
import { findNetwork } from './network/default-network.ts';
import { findSecurityGroups, Ingress, userGroup } from './network/security-groups.ts';
import { checkAccount } from './provisioning/check-account.ts';
import { clean } from './provisioning/clean.ts';
import type { Docker } from './provisioning/image.ts';
import { readStatus } from './provisioning/status.ts';
import { up } from './provisioning/up.ts';
import { verifyProvisioned } from './provisioning/verify-provisioned.ts';
import { startTasks } from './tasks/starting.ts';
import { listTasks, stopTasks } from './tasks/stopping.ts';

const MOTO = 'moto[server]==5.2.5';
const VENV = join(import.meta.dirname, '../../.scriptorium/moto');
const INSTALL_LIMIT_MS = 240_000;
const START_LIMIT_MS = 30_000;
const TAG = '0123456789abcdef';
const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';

const asked = process.env.SCRIPTORIUM_TEST_AWS === '1';
/** Null where it is there; else why it cannot be. */
const missing = asked ? installMoto() : 'it runs with ./scriptorium test --aws';
// Who asks for it is not to be told that all is well where nothing was tested.
if (asked && missing !== null) throw new Error(`moto cannot be installed: ${missing}`);

function installMoto(): string | null {
  if (existsSync(join(VENV, 'bin/moto_server'))) return null;
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', VENV],
    [join(VENV, 'bin/pip'), 'install', '--quiet', MOTO],
  ]) {
    const { status, error, stderr } = spawnSync(command!, args, { encoding: 'utf8', timeout: INSTALL_LIMIT_MS });
    if (status !== 0) return `${command} ${args.join(' ')} failed: ${(error?.message ?? stderr).trim().slice(-500)}`;
  }
  return null;
}

let server: ChildProcess;
let endpoint: string;
let aws: Aws;

beforeAll(async () => {
  if (missing !== null) return;
  const port = await freePort();
  server = spawn(join(VENV, 'bin/moto_server'), ['-H', '127.0.0.1', '-p', `${port}`], { stdio: 'ignore' });
  endpoint = `http://127.0.0.1:${port}`;
  aws = connectAws({ endpoint, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } });
  const giveUpMs = performance.now() + START_LIMIT_MS;
  while (
    !(await fetch(`${endpoint}/moto-api/`).then(
      () => true,
      () => false,
    ))
  ) {
    if (performance.now() > giveUpMs) throw new Error('moto does not start');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  // Else each look at a task moves it on towards its end.
  await fetch(`${endpoint}/moto-api/state-manager/set-transition`, {
    method: 'POST',
    body: JSON.stringify({ model_name: 'ecs::task', transition: { progression: 'manual', times: 1_000_000 } }),
  });
}, INSTALL_LIMIT_MS);
afterAll(() => void server?.kill());

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** A docker whose push is known to moto. */
const docker: Docker = async ([verb, name]) => {
  const [, region, repositoryName] = /\.ecr\.([^.]+)\.[^/]+\/([^:]+):/.exec(name ?? '') ?? [];
  if (verb === 'push') {
    const imageManifest = JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config: {}, layers: [] });
    await aws(region!).ecr.send(new PutImageCommand({ repositoryName, imageTag: TAG, imageManifest }));
  }
  return '';
};

async function upOnMoto(): Promise<string[]> {
  const done: string[] = [];
  await up({
    aws,
    deployment: EXAMPLE,
    account: await checkAccount(aws, EXAMPLE, []),
    image: { localName: 'local', tag: TAG },
    docker,
    onChange: (change) => done.push(change.done),
  });
  return done;
}

describe.skipIf(missing !== null)('against moto', () => {
  test('up, a second up, tasks, and clean', async () => {
    const first = await upOnMoto();
    expect(new Set(first)).toEqual(new Set(['created']));
    expect(new Set(await upOnMoto())).toEqual(new Set(['unchanged']));
    await verifyProvisioned(aws, EXAMPLE);

    const clients = aws(AWAY);
    const groups = await findSecurityGroups(clients, EXAMPLE.id);
    const tasks = await startTasks(
      clients,
      {
        deploymentId: EXAMPLE.id,
        kind: 'users',
        count: 12,
        spot: true,
        variables: { 'user-1': { SCRIPTORIUM_ROLE: 'users' } },
        network: await findNetwork(clients),
        securityGroupIds: userGroup(groups),
        runId: 'run-1',
      },
      { pace: { ...TEST_PACE, startLimitMs: 10_000 }, say: () => {} },
    );
    expect(tasks).toHaveLength(12);
    expect(await listTasks(clients, EXAMPLE.id, 'run-1')).toHaveLength(12);
    const [status] = await readStatus(aws, [HOME, AWAY]);
    expect(status).toMatchObject({ id: EXAMPLE.id });
    expect(status!.tasks).toHaveLength(12);

    const ingress = new Ingress(aws(HOME), EXAMPLE);
    await ingress.admit(new Set(['203.0.113.7', '198.51.100.1']));
    await ingress.admit(new Set(['203.0.113.7']));
    const [shut, open] = await findSecurityGroups(aws(HOME), EXAMPLE.id);
    expect(shut!.IpPermissions).toEqual([]);
    expect(open!.IpPermissions).toMatchObject([
      { FromPort: 7400, ToPort: 7403, IpRanges: [{ CidrIp: '203.0.113.7/32' }] },
    ]);

    expect(await stopTasks(clients, EXAMPLE.id, { pace: TEST_PACE, say: () => {} })).toEqual([]);
    const cleaned = await clean({ aws, regions: [HOME, AWAY], id: null, pace: TEST_PACE, say: () => {} });
    expect(cleaned.left).toEqual([]);
    expect(await readStatus(aws, [HOME, AWAY])).toEqual([]);
  }, 120_000);
});

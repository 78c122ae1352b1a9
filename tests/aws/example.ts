/** A small deployment, and what tests do with the fake AWS again and again. */

import { connectAws } from '../../infra/fargate/clients.ts';
import { findSecurityGroups, userGroup } from '../../infra/fargate/network/security-groups.ts';
import type { Pace } from '../../infra/fargate/pace.ts';
import type { Deployment } from '../../infra/fargate/plan/deployment.ts';
import { checkAccount } from '../../infra/fargate/provisioning/check-account.ts';
import type { Docker } from '../../infra/fargate/provisioning/image.ts';
import { type Change, up } from '../../infra/fargate/provisioning/up.ts';
import type { TaskRequest } from '../../infra/fargate/tasks/starting.ts';
import type { FakeAws } from './server.ts';

export const HOME = 'us-east-1';
export const AWAY = 'eu-north-1';

/** As patient as a fake needs. */
export const TEST_PACE: Pace = {
  pollMs: 10,
  backOffMs: 10,
  startLimitMs: 400,
  addressLimitMs: 200,
  stopLimitMs: 2000,
};

export const EXAMPLE: Deployment = {
  id: 'example',
  serverRegion: HOME,
  regions: [HOME, AWAY],
  userTasksAtOnce: 4,
  ports: { from: 7400, to: 7403 },
  kinds: [
    {
      name: 'coordinator',
      regions: [HOME],
      size: { cpuUnits: 1024, memoryMiB: 2048 },
      containers: [{ name: 'coordinator', command: ['node', 'a.ts'], cpuUnits: 1024, essential: true }],
    },
    {
      name: 'users',
      regions: [AWAY],
      size: { cpuUnits: 512, memoryMiB: 1024 },
      containers: [{ name: 'user-1', command: ['node', 'b.ts'], cpuUnits: 512, memoryMiB: 1024, essential: true }],
    },
  ],
};

export const fakeClients = (fake: FakeAws) =>
  connectAws({ endpoint: fake.endpoint, credentials: { accessKeyId: 'AKIDTEST', secretAccessKey: 'test' } });

/** A docker that only remembers; what it pushes is there. */
export function fakeDocker(fake: FakeAws): { docker: Docker; commands: string[] } {
  const commands: string[] = [];
  const docker: Docker = async (args) => {
    commands.push(args.join(' '));
    const pushed = /^(\d+)\.dkr\.ecr\.([^.]+)\.[^/]+\/([^:]+):(.+)$/.exec(args[0] === 'push' ? args[1]! : '');
    if (pushed) fake.push(pushed[2]!, pushed[3]!, pushed[4]!);
    return args[0] === 'image' ? 'sha256:0123456789abcdef0123456789abcdef' : '';
  };
  return { docker, commands };
}

/** Calls `up` for a deployment, and gives what it did. */
export async function upExample(fake: FakeAws, deployment = EXAMPLE): Promise<Change[]> {
  const aws = fakeClients(fake);
  const changes: Change[] = [];
  await up({
    aws,
    deployment,
    account: await checkAccount(aws, deployment, []),
    image: { localName: 'local', tag: '0123456789abcdef' },
    docker: fakeDocker(fake).docker,
    onChange: (change) => changes.push(change),
  });
  return changes;
}

/** A request for user tasks of the example. */
export async function userRequest(fake: FakeAws, count: number, spot = false): Promise<TaskRequest> {
  return {
    deploymentId: EXAMPLE.id,
    kind: 'users',
    count,
    spot,
    variables: { 'user-1': { SCRIPTORIUM_ROLE: 'users' } },
    network: { vpcId: `vpc-${AWAY}`, subnetIds: ['subnet-a', 'subnet-b', 'subnet-c'] },
    securityGroupIds: userGroup(await findSecurityGroups(fakeClients(fake)(AWAY), EXAMPLE.id)),
    runId: 'run-1',
  };
}

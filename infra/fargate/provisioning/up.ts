/** `up`: everything that a deployment needs on AWS and nothing else, found where it exists and created where it does not. */
import { createHash } from 'node:crypto';
import {
  CreateLogGroupCommand,
  DescribeLogGroupsCommand,
  PutRetentionPolicyCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import {
  CreateRepositoryCommand,
  DescribeImagesCommand,
  DescribeRepositoriesCommand,
  GetAuthorizationTokenCommand,
} from '@aws-sdk/client-ecr';
import {
  CreateClusterCommand,
  DeregisterTaskDefinitionCommand,
  DescribeClustersCommand,
  DescribeTaskDefinitionCommand,
  RegisterTaskDefinitionCommand,
  type RegisterTaskDefinitionCommandInput,
} from '@aws-sdk/client-ecs';
import { CreateRoleCommand, GetRoleCommand, GetRolePolicyCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import type { Aws, Clients } from '../clients.ts';
import { faultOf, isMissing, onAws } from '../faults.ts';
import {
  capitalTags,
  clusterName,
  ecsTags,
  FINGERPRINT_TAG,
  familyName,
  logGroupName,
  PATH_PREFIX,
  repositoryName,
  roleName,
  tagPairs,
} from '../naming.ts';
import { ensureSecurityGroups } from '../network/security-groups.ts';
import { backOff, FARGATE_PACE, type Pace } from '../pace.ts';
import type { Deployment, TaskKind } from '../plan/deployment.ts';
import { STOP_TIMEOUT_S } from '../plan/sizes.ts';
import type { CheckedAccount } from './check-account.ts';
import { type BuiltImage, type Docker, pushImage } from './image.ts';

/** Logs are for finding out why a task failed; results do not go there. */
const LOG_RETENTION_DAYS = 7;
const ROLE_POLICY = 'pull-image-and-write-log';
const CLUSTER_RETRIES = 4;

/** One thing that stands now. */
export interface Change {
  region: string;
  what: string;
  done: 'created' | 'updated' | 'unchanged';
}

/**
 * Creates what is missing. What stands already stays as it is, so a second call changes nothing, and one after a
 * failure goes on where that one stopped.
 *
 * @throws UserError (3) with what AWS or docker says; what was created stands, and `clean` removes it
 */
export async function up(options: {
  aws: Aws;
  deployment: Deployment;
  account: CheckedAccount;
  image: BuiltImage;
  docker: Docker;
  pace?: Pace;
  onChange(change: Change): void;
}): Promise<void> {
  const { aws, deployment, account, image, docker, pace = FARGATE_PACE, onChange } = options;
  const { id } = deployment;
  const role = await ensureRole(aws(deployment.serverRegion), deployment, account.accountId);
  onChange({ region: 'everywhere', what: `execution role ${roleName(id)}`, done: role.done });
  // One after the other: docker pushes to one region at a time anyway.
  for (const region of deployment.regions) {
    const clients = aws(region);
    const step = async (what: string, ensure: () => Promise<Change['done']>) =>
      onChange({ region, what, done: await onAws({ what, region }, ensure) });
    let imageUri = '';
    await step(`repository ${repositoryName(id)} with image ${image.tag}`, async () => {
      const ensured = await ensureImage(clients, id, image, docker);
      imageUri = ensured.uri;
      return ensured.done;
    });
    await step(`cluster ${clusterName(id)}`, () => ensureCluster(clients, id, pace));
    await step(`log group ${logGroupName(id)}`, () => ensureLogGroup(clients, id));
    await step('security groups', () => ensureSecurityGroups(clients, deployment, account.networks.get(region)!.vpcId));
    for (const kind of deployment.kinds.filter(({ regions }) => regions.includes(region))) {
      await step(`task definition ${familyName(id, kind.name)}`, () =>
        ensureTaskDefinition(clients, taskDefinition({ id, kind, region, imageUri, roleArn: role.arn }), id),
      );
    }
  }
}

async function ensureRole({ iam, region }: Clients, { id, regions }: Deployment, accountId: string) {
  const RoleName = roleName(id);
  return onAws({ what: `the execution role ${RoleName}`, region }, async () => {
    const assume = { Effect: 'Allow', Principal: { Service: 'ecs-tasks.amazonaws.com' }, Action: 'sts:AssumeRole' };
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: executionRights(id, accountId, regions) });
    const { Role } = await iam.send(new GetRoleCommand({ RoleName })).catch(whereMissing({ Role: undefined }));
    let arn = Role?.Arn;
    let done: Change['done'] = 'unchanged';
    if (arn === undefined) {
      const created = await iam.send(
        new CreateRoleCommand({
          RoleName,
          Path: PATH_PREFIX,
          AssumeRolePolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [assume] }),
          Description: 'Lets Fargate pull the image of a Scriptorium experiment and write its log',
          Tags: capitalTags(id),
        }),
      );
      arn = created.Role!.Arn!;
      done = 'created';
    }
    const { PolicyDocument } = await iam
      .send(new GetRolePolicyCommand({ RoleName, PolicyName: ROLE_POLICY }))
      .catch(whereMissing({ PolicyDocument: '' }));
    if (decodeURIComponent(PolicyDocument ?? '') !== policy) {
      await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: ROLE_POLICY, PolicyDocument: policy }));
      if (done === 'unchanged') done = 'updated';
    }
    return { arn, done };
  });
}

/** What Fargate itself may do to start a task; the containers have no role at all. */
function executionRights(id: string, accountId: string, regions: readonly string[]) {
  const inEachRegion = (name: (region: string) => string) => [...regions].sort().map(name);
  return [
    { Effect: 'Allow', Action: 'ecr:GetAuthorizationToken', Resource: '*' },
    {
      Effect: 'Allow',
      Action: ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
      Resource: inEachRegion((region) => `arn:aws:ecr:${region}:${accountId}:repository/${repositoryName(id)}`),
    },
    {
      Effect: 'Allow',
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: inEachRegion((region) => `arn:aws:logs:${region}:${accountId}:log-group:${logGroupName(id)}:*`),
    },
  ];
}

async function ensureImage({ ecr }: Clients, id: string, image: BuiltImage, docker: Docker) {
  const name = repositoryName(id);
  const { repositories = [] } = await ecr
    .send(new DescribeRepositoriesCommand({ repositoryNames: [name] }))
    .catch(whereMissing({ repositories: [] }));
  let repositoryUri = repositories[0]?.repositoryUri;
  let done: Change['done'] = 'unchanged';
  if (repositoryUri === undefined) {
    const created = await ecr.send(new CreateRepositoryCommand({ repositoryName: name, tags: capitalTags(id) }));
    repositoryUri = created.repository!.repositoryUri!;
    done = 'created';
  }
  const { imageDetails = [] } = await ecr
    .send(new DescribeImagesCommand({ repositoryName: name, imageIds: [{ imageTag: image.tag }] }))
    .catch(whereMissing({ imageDetails: [] }));
  if (imageDetails.length === 0) {
    const { authorizationData = [] } = await ecr.send(new GetAuthorizationTokenCommand({}));
    const [user = '', password = ''] = Buffer.from(authorizationData[0]!.authorizationToken!, 'base64')
      .toString()
      .split(':');
    await pushImage(docker, image, { repositoryUri, login: { user, password } });
    if (done === 'unchanged') done = 'updated';
  }
  return { uri: `${repositoryUri}:${image.tag}`, done };
}

async function ensureCluster({ ecs, region }: Clients, id: string, pace: Pace): Promise<Change['done']> {
  const name = clusterName(id);
  const { clusters = [] } = await ecs.send(new DescribeClustersCommand({ clusters: [name] }));
  if (clusters.some(({ status }) => status === 'ACTIVE')) return 'unchanged';
  const input = { clusterName: name, capacityProviders: ['FARGATE', 'FARGATE_SPOT'], tags: ecsTags(id) };
  for (let tries = 0; ; tries++) {
    try {
      await ecs.send(new CreateClusterCommand(input));
      return 'created';
    } catch (error) {
      // An account's first cluster makes AWS create a role for the service, which is not known at once.
      if (tries === CLUSTER_RETRIES || faultOf(error, { what: name, region }).kind !== 'role') throw error;
      await backOff(pace, tries);
    }
  }
}

async function ensureLogGroup({ logs }: Clients, id: string): Promise<Change['done']> {
  const logGroupName_ = logGroupName(id);
  const { logGroups = [] } = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: logGroupName_ }));
  const group = logGroups.find((each) => each.logGroupName === logGroupName_);
  if (group?.retentionInDays === LOG_RETENTION_DAYS) return 'unchanged';
  if (group === undefined) {
    await logs.send(new CreateLogGroupCommand({ logGroupName: logGroupName_, tags: Object.fromEntries(tagPairs(id)) }));
  }
  const retention = { logGroupName: logGroupName_, retentionInDays: LOG_RETENTION_DAYS };
  await logs.send(new PutRetentionPolicyCommand(retention));
  return group === undefined ? 'created' : 'updated';
}

async function ensureTaskDefinition(
  { ecs }: Clients,
  definition: RegisterTaskDefinitionCommandInput,
  id: string,
): Promise<Change['done']> {
  const fingerprint = createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 32);
  const { taskDefinition: standing, tags = [] } = await ecs
    .send(new DescribeTaskDefinitionCommand({ taskDefinition: definition.family, include: ['TAGS'] }))
    .catch(whereMissing({ taskDefinition: undefined, tags: [] }));
  if (tags.some(({ key, value }) => key === FINGERPRINT_TAG && value === fingerprint)) return 'unchanged';
  await ecs.send(
    new RegisterTaskDefinitionCommand({
      ...definition,
      tags: [...ecsTags(id), { key: FINGERPRINT_TAG, value: fingerprint }],
    }),
  );
  if (standing?.taskDefinitionArn === undefined) return 'created';
  await ecs.send(new DeregisterTaskDefinitionCommand({ taskDefinition: standing.taskDefinitionArn }));
  return 'updated';
}

function taskDefinition(options: {
  id: string;
  kind: TaskKind;
  region: string;
  imageUri: string;
  roleArn: string;
}): RegisterTaskDefinitionCommandInput {
  const { id, kind, region, imageUri, roleArn } = options;
  return {
    family: familyName(id, kind.name),
    requiresCompatibilities: ['FARGATE'],
    networkMode: 'awsvpc',
    runtimePlatform: { cpuArchitecture: 'X86_64', operatingSystemFamily: 'LINUX' },
    cpu: `${kind.size.cpuUnits}`,
    memory: `${kind.size.memoryMiB}`,
    executionRoleArn: roleArn,
    containerDefinitions: kind.containers.map((container) => ({
      name: container.name,
      image: imageUri,
      command: container.command,
      essential: container.essential,
      cpu: container.cpuUnits,
      memory: container.memoryMiB,
      // Whoever is told to stop hands in what it holds first.
      stopTimeout: STOP_TIMEOUT_S,
      linuxParameters: { initProcessEnabled: true },
      logConfiguration: {
        logDriver: 'awslogs',
        options: {
          'awslogs-group': logGroupName(id),
          'awslogs-region': region,
          'awslogs-stream-prefix': kind.name,
        },
      },
    })),
  };
}

/** Turns "there is none" into an answer. */
function whereMissing<T>(answer: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return answer;
    throw error;
  };
}

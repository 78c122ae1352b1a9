/** `status` and `clean`: experiments on AWS with their tasks, and all of it removed. */
import { DeleteLogGroupCommand, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DeleteSecurityGroupCommand, DescribeRegionsCommand, DescribeSecurityGroupsCommand } from '@aws-sdk/client-ec2';
import {
  BatchDeleteImageCommand,
  DeleteRepositoryCommand,
  DescribeRepositoriesCommand,
  ListImagesCommand,
} from '@aws-sdk/client-ecr';
import {
  DeleteClusterCommand,
  DeleteTaskDefinitionsCommand,
  DeregisterTaskDefinitionCommand,
  DescribeClustersCommand,
  paginateListTaskDefinitions,
  type Task,
} from '@aws-sdk/client-ecs';
import { UserError } from '../../results/user-error.ts';
import { type Aws, backOff, type Clients, type Patience } from './clients.ts';
import { errorOf, ifMissing, isMissing, onAws } from './errors.ts';
import { PATH_PREFIX, stackName } from './naming.ts';
import { deleteStack, findStack, listStacks, type Stack } from './stacks.ts';
import { describeTasks, listTasks, stopTasks } from './tasks.ts';

/** A network interface holds its security group for some time after its task. */
const ROUNDS = 5;

/** A stack of an experiment, with those of its tasks that run. */
export interface Standing {
  stack: Stack;
  tasks: Task[];
}

/**
 * The regions in which there may be something: all that the account uses.
 *
 * @param home the region that is asked
 */
export async function allRegions(aws: Aws, home: string): Promise<string[]> {
  const { Regions = [] } = await onAws({ what: "the account's regions", region: home }, () =>
    aws(home).ec2.send(new DescribeRegionsCommand({})),
  );
  return Regions.flatMap(({ RegionName }) => RegionName ?? []).sort();
}

/** @throws UserError (3) if a region cannot be asked */
export async function readStatus(aws: Aws, regions: readonly string[]): Promise<Standing[]> {
  const inRegions = regions.map(async (region) => {
    const clients = aws(region);
    const standing = (await listStacks(clients)).map(async (stack) => {
      const { tasks } = await describeTasks(clients, stack.id, await listTasks(clients, stack.id));
      return { stack, tasks };
    });
    return Promise.all(standing);
  });
  return (await Promise.all(inRegions)).flat();
}

/**
 * Stops all tasks of one experiment or of every one, deletes its stacks, and looks again by name.
 *
 * @param options.id null: of every experiment
 * @returns everything that is gone now, and everything that is still there, with the reason that AWS gives
 * @throws UserError (3) if AWS cannot be asked what there is
 */
export async function clean(
  options: Patience & { aws: Aws; regions: readonly string[]; id: string | null },
): Promise<{ removed: string[]; left: string[] }> {
  const { aws, regions, id } = options;
  const removed: string[] = [];
  const inRegions = regions.map(async (region) => {
    const clients = aws(region);
    const ids = id === null ? (await listStacks(clients)).map((stack) => stack.id) : [id];
    const left: string[] = [];
    for (const each of ids) left.push(...(await cleanOne(clients, each, options, removed)));
    return left;
  });
  return { removed, left: (await Promise.all(inRegions)).flat() };
}

async function cleanOne(clients: Clients, id: string, patience: Patience, removed: string[]): Promise<string[]> {
  const { region } = clients;
  let left: string[] = [];
  const remove = async (what: string, act: () => Promise<unknown>) => {
    try {
      await act();
      removed.push(`${region}: ${what}`);
      patience.say(`removed ${what} (${region})`);
    } catch (error) {
      const why = error instanceof UserError ? error.message : errorOf(error, { what, region }).sentence;
      if (!isMissing(error)) left.push(`${region}: ${what}: ${why}`);
    }
  };
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await backOff(patience, round - 1);
    const stack = await findStack(clients, id);
    const running = await stopTasks(clients, id, patience);
    left = running.map((arn) => `${region}: task ${arn}: it has not stopped yet`);
    if (stack !== null && left.length === 0) {
      await remove(`stack ${stack.name}`, async () => {
        await emptyRepository(clients, stack);
        await deleteStack(clients, stack, patience);
      });
    }
    // The second look, by name.
    if (left.length > 0) continue;
    for (const [kind, names, act] of await findLeftovers(clients, id)) {
      for (const name of names) await remove(`${kind} ${name}`, () => act(name));
    }
    if (left.length === 0) return [];
  }
  return left;
}

/** CloudFormation would do it, too, but says less if it cannot. */
async function emptyRepository({ ecr }: Clients, { name: repositoryName }: Stack): Promise<void> {
  const list = () => ecr.send(new ListImagesCommand({ repositoryName })).catch(() => ({ imageIds: [] }));
  for (let { imageIds = [] } = await list(); imageIds.length > 0; { imageIds = [] } = await list()) {
    const { failures = [] } = await ecr.send(new BatchDeleteImageCommand({ repositoryName, imageIds }));
    if (failures.length > 0) throw new Error(failures[0]!.failureReason ?? 'AWS does not say why');
  }
}

type Leftovers = [kind: string, names: string[], remove: (name: string) => Promise<unknown>];

/**
 * Leftovers of an experiment in a region whose stack is gone, found by their names.
 *
 * @throws UserError (3) if AWS cannot be asked: nobody can say then that nothing is left
 */
async function findLeftovers(clients: Clients, id: string): Promise<Leftovers[]> {
  const { region, ecs, ecr, ec2, logs } = clients;
  const name = stackName(id);
  const logGroupNamePrefix = `${PATH_PREFIX}${id}`;
  return onAws<Leftovers[]>({ what: `what is left of "${id}"`, region }, async () => {
    const [definitions, { clusters = [] }, { logGroups = [] }, { repositories = [] }, { SecurityGroups = [] }] =
      await Promise.all([
        taskDefinitions(clients, name),
        ecs.send(new DescribeClustersCommand({ clusters: [name] })),
        logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix })),
        ecr.send(new DescribeRepositoriesCommand({ repositoryNames: [name] })).catch(ifMissing({ repositories: [] })),
        ec2.send(new DescribeSecurityGroupsCommand({ Filters: [{ Name: 'group-name', Values: [`${name}-*`] }] })),
      ]);
    const active = clusters.filter(({ status }) => status === 'ACTIVE');
    const ownLogs = logGroups.filter(({ logGroupName }) => logGroupName === logGroupNamePrefix);
    const isOwn = new RegExp(`^${name}-(UserGroup|Door\\d)-`);
    const groups = SecurityGroups.filter(({ GroupName = '' }) => isOwn.test(GroupName));
    return [
      ['task definition', definitions, (arn) => removeDefinition(clients, arn)],
      ['cluster', active.map(() => name), (cluster) => ecs.send(new DeleteClusterCommand({ cluster }))],
      [
        'log group',
        ownLogs.map(() => logGroupNamePrefix),
        (logGroupName) => logs.send(new DeleteLogGroupCommand({ logGroupName })),
      ],
      [
        'repository',
        repositories.map(() => name),
        (repositoryName) => ecr.send(new DeleteRepositoryCommand({ repositoryName, force: true })),
      ],
      [
        'security group',
        groups.map(({ GroupId }) => GroupId!),
        (GroupId) => ec2.send(new DeleteSecurityGroupCommand({ GroupId })),
      ],
    ];
  });
}

/** Active ones, and those that CloudFormation has only deregistered. */
async function taskDefinitions({ ecs: client }: Clients, name: string): Promise<string[]> {
  const list = (status: 'ACTIVE' | 'INACTIVE') => Array.fromAsync(paginateListTaskDefinitions({ client }, { status }));
  const pages = [...(await list('ACTIVE')), ...(await list('INACTIVE'))];
  const isOwn = new RegExp(`/${name}-(coordinator|server|[a-z]+-\\d+):\\d+$`);
  return pages.flatMap(({ taskDefinitionArns = [] }) => taskDefinitionArns).filter((arn) => isOwn.test(arn));
}

async function removeDefinition({ ecs }: Clients, taskDefinition: string): Promise<void> {
  await ecs.send(new DeregisterTaskDefinitionCommand({ taskDefinition })).catch((error) => {
    // One that is inactive already has only to be deleted.
    if (!/inactive/i.test(String((error as Error).message))) throw error;
  });
  const { failures = [] } = await ecs.send(new DeleteTaskDefinitionsCommand({ taskDefinitions: [taskDefinition] }));
  if (failures.length > 0) throw new Error(failures[0]!.reason ?? 'AWS does not say why');
}

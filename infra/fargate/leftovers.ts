/** Leftovers of an experiment in a region whose stack is gone: found by their names, and removed one by one. */
import { DeleteLogGroupCommand, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DeleteSecurityGroupCommand, DescribeSecurityGroupsCommand } from '@aws-sdk/client-ec2';
import { DeleteRepositoryCommand, DescribeRepositoriesCommand } from '@aws-sdk/client-ecr';
import {
  DeleteClusterCommand,
  DeleteTaskDefinitionsCommand,
  DeregisterTaskDefinitionCommand,
  DescribeClustersCommand,
  paginateListTaskDefinitions,
  type TaskDefinitionStatus,
} from '@aws-sdk/client-ecs';
import type { Clients } from './clients.ts';
import { errorOf, isMissing, onAws } from './errors.ts';
import { PATH_PREFIX, stackName } from './naming.ts';

export interface Leftover {
  region: string;
  /** For messages: `cluster scriptorium-example`. */
  what: string;
  remove(): Promise<unknown>;
}

/** @throws UserError (3) if AWS cannot be asked: nobody can say then that nothing is left */
export async function findLeftovers(clients: Clients, id: string): Promise<Leftover[]> {
  const { region, ecs, ecr, ec2, logs } = clients;
  const name = stackName(id);
  const logGroupName = `${PATH_PREFIX}${id}`;
  const found = (kind: string, names: string[], remove: (name: string) => Promise<unknown>): Leftover[] =>
    names.map((each) => ({ region, what: `${kind} ${each}`, remove: () => remove(each) }));
  return onAws({ what: `what is left of "${id}"`, region }, async () => {
    const [definitions, { clusters = [] }, { logGroups = [] }, { repositories = [] }, { SecurityGroups = [] }] =
      await Promise.all([
        taskDefinitions(clients, name),
        ecs.send(new DescribeClustersCommand({ clusters: [name] })),
        logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: logGroupName })),
        ecr.send(new DescribeRepositoriesCommand({ repositoryNames: [name] })).catch((error) => {
          if (isMissing(error)) return { repositories: [] };
          throw error;
        }),
        ec2.send(new DescribeSecurityGroupsCommand({ Filters: [{ Name: 'group-name', Values: [`${name}-*`] }] })),
      ]);
    const active = clusters.filter(({ status }) => status === 'ACTIVE');
    const logNames = logGroups.flatMap((group) => group.logGroupName ?? []).filter((each) => each === logGroupName);
    const isOwn = new RegExp(`^${name}-(UserGroup|Door\\d)-`);
    const groups = SecurityGroups.filter(({ GroupName = '' }) => isOwn.test(GroupName));
    return [
      ...found('task definition', definitions, (arn) => removeDefinition(clients, arn)),
      ...found('cluster', active.length > 0 ? [name] : [], (cluster) =>
        ecs.send(new DeleteClusterCommand({ cluster })),
      ),
      ...found('log group', logNames, () => logs.send(new DeleteLogGroupCommand({ logGroupName }))),
      ...found('repository', repositories.length > 0 ? [name] : [], (repositoryName) =>
        ecr.send(new DeleteRepositoryCommand({ repositoryName, force: true })),
      ),
      ...found(
        'security group',
        groups.flatMap(({ GroupId }) => GroupId ?? []),
        (GroupId) => ec2.send(new DeleteSecurityGroupCommand({ GroupId })),
      ),
    ];
  });
}

/** @returns null if it is gone; else why it is not */
export async function removeLeftover({ region, what, remove }: Leftover): Promise<string | null> {
  try {
    await remove();
    return null;
  } catch (error) {
    return isMissing(error) ? null : errorOf(error, { what, region }).sentence;
  }
}

/** Active ones, and those that CloudFormation has only deregistered. */
async function taskDefinitions({ ecs: client }: Clients, name: string): Promise<string[]> {
  const list = (status: TaskDefinitionStatus) => Array.fromAsync(paginateListTaskDefinitions({ client }, { status }));
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

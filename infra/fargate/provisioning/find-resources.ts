/** Finds everything of this project in an account by its tags alone, also when nobody remembers having made it. */
import {
  DescribeLogGroupsCommand,
  ListTagsForResourceCommand as ListLogTagsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { DescribeRegionsCommand, DescribeSecurityGroupsCommand } from '@aws-sdk/client-ec2';
import {
  DescribeRepositoriesCommand,
  ListTagsForResourceCommand as ListRepositoryTagsCommand,
} from '@aws-sdk/client-ecr';
import {
  DescribeClustersCommand,
  DescribeTaskDefinitionCommand,
  ListClustersCommand,
  ListTaskDefinitionsCommand,
  type TaskDefinitionStatus,
} from '@aws-sdk/client-ecs';
import { ListRolesCommand, ListRoleTagsCommand } from '@aws-sdk/client-iam';
import type { Aws, Clients } from '../clients.ts';
import { onAws } from '../faults.ts';
import { EXPERIMENT_TAG, NAME_PREFIX, PATH_PREFIX, PROJECT, PROJECT_TAG } from '../naming.ts';

export type ResourceKind =
  | 'cluster'
  | 'task definition'
  | 'security group'
  | 'log group'
  | 'repository'
  | 'execution role';

export interface Resource {
  /** The experiment that it belongs to. */
  id: string;
  /** The region, or "everywhere". */
  region: string;
  kind: ResourceKind;
  /** What its service calls it: a name, an ARN, or an id. */
  name: string;
}

type Tags = readonly { key?: string; value?: string; Key?: string; Value?: string }[];

/** Clusters, task definitions: AWS describes so many at once at most. */
const CLUSTERS_PER_CALL = 100;

/**
 * The regions in which there may be something: all that the account uses.
 *
 * @param home the region that is asked
 */
export async function allRegions(aws: Aws, home: string): Promise<string[]> {
  const { ec2 } = aws(home);
  const { Regions = [] } = await onAws({ what: "the account's regions", region: home }, () =>
    ec2.send(new DescribeRegionsCommand({})),
  );
  return Regions.flatMap(({ RegionName }) => RegionName ?? []).sort();
}

/**
 * Every resource of the project in these regions, in the order in which they can be removed.
 *
 * @throws UserError (3) where a region cannot be asked: what is not known to be gone is not said to be
 */
export async function findResources(aws: Aws, regions: readonly string[]): Promise<Resource[]> {
  const perRegion = regions.map((region) => {
    const clients = aws(region);
    const find = (kind: ResourceKind, list: (clients: Clients) => Promise<Found[]>) =>
      onAws({ what: `the list of ${kind}s`, region }, async () =>
        (await list(clients)).flatMap(({ name, tags }) => {
          const id = experimentOf(tags);
          return id === null ? [] : [{ id, region, kind, name }];
        }),
      );
    return Promise.all([
      find('task definition', taskDefinitions),
      find('cluster', clusters),
      find('security group', securityGroups),
      find('log group', logGroups),
      find('repository', repositories),
    ]);
  });
  const home = regions[0];
  const roles =
    home === undefined ? [] : onAws({ what: 'the list of roles', region: home }, () => findRoles(aws(home)));
  const [inRegions, everywhere] = await Promise.all([Promise.all(perRegion), roles]);
  return [...inRegions.flat(2), ...everywhere];
}

interface Found {
  name: string;
  tags: Tags;
}

/** @returns the experiment's id, or null where the tags are not this project's */
function experimentOf(tags: Tags): string | null {
  const tagValue = (name: string) => {
    const tag = tags.find(({ key, Key }) => (key ?? Key) === name);
    return tag?.value ?? tag?.Value;
  };
  return tagValue(PROJECT_TAG) === PROJECT ? (tagValue(EXPERIMENT_TAG) ?? null) : null;
}

async function clusters({ ecs }: Clients): Promise<Found[]> {
  const arns = await everyPage(async (nextToken) => {
    const page = await ecs.send(new ListClustersCommand({ nextToken }));
    return { items: page.clusterArns, next: page.nextToken };
  });
  const ours = arns.filter((arn) => arn.split('/').at(-1)!.startsWith(NAME_PREFIX));
  const found: Found[] = [];
  for (let from = 0; from < ours.length; from += CLUSTERS_PER_CALL) {
    const some = ours.slice(from, from + CLUSTERS_PER_CALL);
    const described = await ecs.send(new DescribeClustersCommand({ clusters: some, include: ['TAGS'] }));
    for (const { clusterName, status, tags = [] } of described.clusters ?? []) {
      if (status === 'ACTIVE') found.push({ name: clusterName!, tags });
    }
  }
  return found;
}

/** Active ones, and those that a clean-up deregistered and did not come to delete. */
async function taskDefinitions({ ecs }: Clients): Promise<Found[]> {
  const statuses: TaskDefinitionStatus[] = ['ACTIVE', 'INACTIVE'];
  const lists = statuses.map((status) =>
    everyPage(async (nextToken) => {
      const page = await ecs.send(new ListTaskDefinitionsCommand({ status, nextToken }));
      return { items: page.taskDefinitionArns, next: page.nextToken };
    }),
  );
  const ours = (await Promise.all(lists)).flat().filter((arn) => arn.split('/').at(-1)!.startsWith(NAME_PREFIX));
  const found: Found[] = [];
  for (const arn of ours) {
    const { tags = [] } = await ecs.send(new DescribeTaskDefinitionCommand({ taskDefinition: arn, include: ['TAGS'] }));
    found.push({ name: arn, tags });
  }
  return found;
}

async function securityGroups({ ec2 }: Clients): Promise<Found[]> {
  const groups = await everyPage(async (NextToken) => {
    const filter = { Name: 'tag-key', Values: [EXPERIMENT_TAG] };
    const page = await ec2.send(new DescribeSecurityGroupsCommand({ Filters: [filter], NextToken }));
    return { items: page.SecurityGroups, next: page.NextToken };
  });
  return groups.map(({ GroupId, Tags = [] }) => ({ name: GroupId!, tags: Tags }));
}

async function logGroups({ logs }: Clients): Promise<Found[]> {
  const groups = await everyPage(async (nextToken) => {
    const page = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: PATH_PREFIX, nextToken }));
    return { items: page.logGroups, next: page.nextToken };
  });
  return Promise.all(
    groups.map(async ({ arn = '', logGroupName }) => {
      // The list's ARN ends with ":*", which the tags' does not.
      const { tags = {} } = await logs.send(new ListLogTagsCommand({ resourceArn: arn.replace(/:\*$/, '') }));
      return { name: logGroupName!, tags: Object.entries(tags).map(([key, value]) => ({ key, value })) };
    }),
  );
}

async function repositories({ ecr }: Clients): Promise<Found[]> {
  const all = await everyPage(async (nextToken) => {
    const page = await ecr.send(new DescribeRepositoriesCommand({ nextToken }));
    return { items: page.repositories, next: page.nextToken };
  });
  return Promise.all(
    all
      .filter(({ repositoryName }) => repositoryName?.startsWith(NAME_PREFIX))
      .map(async ({ repositoryArn, repositoryName }) => {
        const { tags = [] } = await ecr.send(new ListRepositoryTagsCommand({ resourceArn: repositoryArn }));
        return { name: repositoryName!, tags };
      }),
  );
}

async function findRoles({ iam }: Clients): Promise<Resource[]> {
  const roles = await everyPage(async (Marker) => {
    const page = await iam.send(new ListRolesCommand({ PathPrefix: PATH_PREFIX, Marker }));
    return { items: page.Roles, next: page.Marker };
  });
  const found = await Promise.all(
    roles.map(async ({ RoleName }) => {
      const { Tags = [] } = await iam.send(new ListRoleTagsCommand({ RoleName }));
      return { id: experimentOf(Tags), name: RoleName! };
    }),
  );
  return found.flatMap(({ id, name }) =>
    id === null ? [] : [{ id, region: 'everywhere', kind: 'execution role' as const, name }],
  );
}

async function everyPage<T>(
  read: (token: string | undefined) => Promise<{ items?: T[]; next?: string }>,
): Promise<T[]> {
  const items: T[] = [];
  let token: string | undefined;
  do {
    const page = await read(token);
    items.push(...(page.items ?? []));
    token = page.next;
  } while (token);
  return items;
}

/**
 * Who may reach the tasks. A user task accepts no connection at all. The coordinator's task accepts those of the
 * person's own machine and of this run's user tasks, address by address.
 */
import {
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  DescribeSecurityGroupsCommand,
  RevokeSecurityGroupIngressCommand,
  type SecurityGroup,
} from '@aws-sdk/client-ec2';
import { UserError } from '../../../results/user-error.ts';
import type { Clients } from '../clients.ts';
import { onAws } from '../faults.ts';
import { capitalTags, EXPERIMENT_TAG, securityGroupName } from '../naming.ts';
import type { Deployment } from '../plan/deployment.ts';

/** Unless an account has asked for more, a group has 60 rules; one stays free for the person's machine. */
const RULES_PER_GROUP = 59;
/** A network interface is in so many groups at most. */
const GROUPS_PER_TASK = 5;

/**
 * How many groups there are in a region: one for its user tasks, and in the server's so many more that each user task's
 * address finds a rule.
 *
 * @throws UserError (2) where there are more user tasks than can be let in
 */
export function groupsNeeded({ userTasksAtOnce, serverRegion }: Deployment, region: string): number {
  const groups = Math.max(1, Math.ceil(userTasksAtOnce / RULES_PER_GROUP));
  if (groups <= GROUPS_PER_TASK) return region === serverRegion ? groups + 1 : 1;
  throw new UserError(
    `${userTasksAtOnce} user tasks at once are more than the ${GROUPS_PER_TASK * RULES_PER_GROUP} that can be let in; write a larger "fleet.fargate.usersPerTask"`,
    { exitCode: 2 },
  );
}

/** Creates what is missing: as many groups as the coordinator needs in its region, and one without any rule in others. */
export async function ensureSecurityGroups(
  clients: Clients,
  deployment: Deployment,
  vpcId: string,
): Promise<'created' | 'unchanged'> {
  const { id } = deployment;
  const wanted = groupsNeeded(deployment, clients.region);
  const standing = new Set((await findSecurityGroups(clients, id)).map(({ GroupName }) => GroupName));
  let done: 'created' | 'unchanged' = 'unchanged';
  for (let index = 0; index < wanted; index++) {
    const GroupName = securityGroupName(id, index);
    if (standing.has(GroupName)) continue;
    await clients.ec2.send(
      new CreateSecurityGroupCommand({
        GroupName,
        Description: `Scriptorium experiment ${id}`,
        VpcId: vpcId,
        TagSpecifications: [{ ResourceType: 'security-group', Tags: capitalTags(id) }],
      }),
    );
    done = 'created';
  }
  return done;
}

/** The experiment's groups in a region, by their tag, in the order of their names. */
export async function findSecurityGroups({ ec2, region }: Clients, id: string): Promise<SecurityGroup[]> {
  const groups: SecurityGroup[] = [];
  let NextToken: string | undefined;
  do {
    const input = { Filters: [{ Name: `tag:${EXPERIMENT_TAG}`, Values: [id] }], NextToken };
    const page = await onAws({ what: 'the security groups', region }, () =>
      ec2.send(new DescribeSecurityGroupsCommand(input)),
    );
    groups.push(...(page.SecurityGroups ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  const index = ({ GroupName }: SecurityGroup) => Number(GroupName?.split('-').at(-1));
  return groups.sort((a, b) => index(a) - index(b));
}

/** The group of user tasks: it lets nobody in. */
export const userGroup = (groups: readonly SecurityGroup[]): string[] =>
  groups.slice(0, 1).map(({ GroupId }) => GroupId!);
/** The groups of the coordinator's task. */
export const coordinatorGroups = (groups: readonly SecurityGroup[]): string[] =>
  groups.slice(1).map(({ GroupId }) => GroupId!);

/** The way into the coordinator's task: who may pass. Whatever rule an earlier run left is shut by the first `admit`. */
export class Ingress {
  readonly #clients: Clients;
  readonly #deployment: Deployment;

  /** @param clients of the coordinator's region */
  constructor(clients: Clients, deployment: Deployment) {
    this.#clients = clients;
    this.#deployment = deployment;
  }

  /** Lets these in and nobody else, changing only what differs. Addresses are IPv4. */
  admit(addresses: ReadonlySet<string>): Promise<void> {
    const ranges = [...addresses].map((address) => `${address}/32`);
    const attempt = { what: 'who may reach the coordinator', region: this.#clients.region };
    return onAws(attempt, async () => {
      const { id } = this.#deployment;
      const groups = (await findSecurityGroups(this.#clients, id)).slice(1);
      const free = await this.#revokeOthers(groups, ranges);
      const there = new Set(groups.flatMap(rangesOf));
      const missing = await this.#authorize(
        ranges.filter((range) => !there.has(range)),
        free,
      );
      if (missing === 0) return;
      throw new UserError(
        `the security groups of ${id} have no room for ${missing} more addresses; run ./scriptorium fargate up again for this experiment`,
        { exitCode: 3 },
      );
    });
  }

  /** @returns how many rules each group then has room for */
  async #revokeOthers(groups: readonly SecurityGroup[], wanted: readonly string[]): Promise<Map<string, number>> {
    const free = new Map<string, number>();
    for (const group of groups) {
      const ranges = rangesOf(group);
      const stale = ranges.filter((range) => !wanted.includes(range));
      if (stale.length > 0) {
        await this.#clients.ec2.send(new RevokeSecurityGroupIngressCommand(this.#rules(group.GroupId!, stale)));
      }
      free.set(group.GroupId!, RULES_PER_GROUP + 1 - (ranges.length - stale.length));
    }
    return free;
  }

  /** @returns how many found no room */
  async #authorize(ranges: readonly string[], free: ReadonlyMap<string, number>): Promise<number> {
    const missing = [...ranges];
    for (const [groupId, rules] of free) {
      const some = missing.splice(0, rules);
      if (some.length === 0) break;
      await this.#clients.ec2.send(new AuthorizeSecurityGroupIngressCommand(this.#rules(groupId, some)));
    }
    return missing.length;
  }

  #rules(GroupId: string, ranges: readonly string[]) {
    const { from, to } = this.#deployment.ports;
    const rule = { IpProtocol: 'tcp', FromPort: from, ToPort: to, IpRanges: ranges.map((CidrIp) => ({ CidrIp })) };
    return { GroupId, IpPermissions: [rule] };
  }
}

function rangesOf({ IpPermissions = [] }: SecurityGroup): string[] {
  return IpPermissions.flatMap(({ IpRanges = [] }) => IpRanges.flatMap(({ CidrIp }) => CidrIp ?? []));
}

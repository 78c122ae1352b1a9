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
import { capitalTags, EXPERIMENT_TAG, securityGroupName } from '../naming.ts';
import type { Deployment } from '../plan/deployment.ts';
import { onAws } from '../tasks/faults.ts';

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

/** The door to the coordinator's task: who may pass. */
export interface Door {
  /** Lets these in and nobody else, changing only what differs. Addresses are IPv4. */
  admit(addresses: ReadonlySet<string>): Promise<void>;
}

/** Opens the door of the coordinator's task. Whatever rule an earlier run left is shut by the first `admit`. */
export function openIngress(clients: Clients, { id, ports }: Deployment): Door {
  const place = { what: 'who may reach the coordinator', region: clients.region };
  return {
    admit: (addresses) =>
      onAws(place, async () => {
        const groups = (await findSecurityGroups(clients, id)).slice(1);
        const waiting = new Set([...addresses].map((address) => `${address}/32`));
        const free = new Map<string, number>();
        for (const { GroupId, IpPermissions = [] } of groups) {
          const ranges = IpPermissions.flatMap(({ IpRanges = [] }) => IpRanges.flatMap(({ CidrIp }) => CidrIp ?? []));
          const stale = ranges.filter((range) => !waiting.has(range));
          if (stale.length > 0) {
            const input = { GroupId, IpPermissions: [permission(ports, stale)] };
            await clients.ec2.send(new RevokeSecurityGroupIngressCommand(input));
          }
          for (const range of ranges) waiting.delete(range);
          free.set(GroupId!, RULES_PER_GROUP + 1 - (ranges.length - stale.length));
        }
        const missing = [...waiting];
        for (const [GroupId, rules] of free) {
          const ranges = missing.splice(0, rules);
          if (ranges.length === 0) break;
          const input = { GroupId, IpPermissions: [permission(ports, ranges)] };
          await clients.ec2.send(new AuthorizeSecurityGroupIngressCommand(input));
        }
        if (missing.length === 0) return;
        throw new UserError(
          `the security groups of ${id} have no room for ${missing.length} more addresses; run ./scriptorium fargate up again for this experiment`,
          { exitCode: 3 },
        );
      }),
  };
}

function permission({ from, to }: Deployment['ports'], ranges: readonly string[]) {
  return { IpProtocol: 'tcp', FromPort: from, ToPort: to, IpRanges: ranges.map((CidrIp) => ({ CidrIp })) };
}

/**
 * The doors of coordinator and server: security groups of the stack. One has a rule for the caller. A run adds a rule for the
 * address of each of its tasks, and removes them in the end. A user task lets in nobody.
 */
import {
  AuthorizeSecurityGroupIngressCommand,
  DescribeSecurityGroupsCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2';
import { UserError } from '../../results/user-error.ts';
import type { Clients } from './clients.ts';
import { onAws } from './errors.ts';

/** Unless an account has asked for more. */
const RULES_PER_GROUP = 60;
/** The doors in stack.yaml: a network interface is in no more groups. */
const DOORS = 5;
/** Rules for others than user tasks: the caller, coordinator and server. */
const OTHERS = 3;

/** @throws UserError (2) if there are more user tasks than can be let in */
export function checkDoors(userTasksAtOnce: number): void {
  const most = DOORS * RULES_PER_GROUP - OTHERS;
  if (userTasksAtOnce <= most) return;
  throw new UserError(
    `${userTasksAtOnce} user tasks at once are more than the ${most} that can be let in; write a larger "fleet.fargate.usersPerTask"`,
    { exitCode: 2 },
  );
}

export class Doors {
  readonly #clients: Clients;
  readonly #groupIds: readonly string[];
  readonly #ports: { from: number; to: number };

  /**
   * @param clients of the coordinator's region
   * @param ports   those of the run's own tasks; rules for others are not touched
   */
  constructor(clients: Clients, groupIds: readonly string[], ports: { from: number; to: number }) {
    this.#clients = clients;
    this.#groupIds = groupIds;
    this.#ports = ports;
  }

  /**
   * Lets these IPv4 addresses in and no others, changing only what differs.
   *
   * @throws UserError (3) if AWS refuses, or there is no room
   */
  admit(addresses: ReadonlySet<string>): Promise<void> {
    const { ec2, region } = this.#clients;
    const wanted = new Set([...addresses].map((address) => `${address}/32`));
    return onAws({ what: 'who may reach the coordinator', region }, async () => {
      const { SecurityGroups = [] } = await ec2.send(
        new DescribeSecurityGroupsCommand({ GroupIds: [...this.#groupIds] }),
      );
      const groups = SecurityGroups.map(({ GroupId = '', IpPermissions = [] }) => {
        const rules = IpPermissions.flatMap(({ FromPort, IpRanges = [] }) =>
          IpRanges.map(({ CidrIp = '' }) => ({ CidrIp, isOwn: FromPort === this.#ports.from })),
        );
        const held = rules.filter(({ isOwn }) => isOwn).map(({ CidrIp }) => CidrIp);
        const stale = held.filter((range) => !wanted.has(range));
        return { GroupId, held, stale, room: RULES_PER_GROUP - rules.length + stale.length };
      });
      const missing = [...wanted.difference(new Set(groups.flatMap(({ held }) => held)))];
      for (const { GroupId, stale, room } of groups) {
        const some = missing.splice(0, room);
        if (stale.length > 0) await ec2.send(new RevokeSecurityGroupIngressCommand(this.#rules(GroupId, stale)));
        if (some.length > 0) await ec2.send(new AuthorizeSecurityGroupIngressCommand(this.#rules(GroupId, some)));
      }
      if (missing.length === 0) return;
      throw new UserError(`the stack's security groups have no room for ${missing.length} more addresses`, {
        exitCode: 3,
      });
    });
  }

  #rules(GroupId: string, ranges: readonly string[]) {
    const { from, to } = this.#ports;
    const rule = { IpProtocol: 'tcp', FromPort: from, ToPort: to, IpRanges: ranges.map((CidrIp) => ({ CidrIp })) };
    return { GroupId, IpPermissions: [rule] };
  }
}

/**
 * The doors of coordinator and server: security groups of the stack, which let in nobody while no run is under way. A run has them
 * let in the machine that it is steered from, and each of its tasks. A user task lets in nobody.
 */
import {
  AuthorizeSecurityGroupIngressCommand,
  DescribeSecurityGroupsCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2';
import * as z from 'zod';
import { Unavailable, UserError } from '../../results/user-error.ts';
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
  );
}

/** Amazon's own: it answers with the address that asks. */
const ADDRESS_SERVICE = 'https://checkip.amazonaws.com';
const ADDRESS_LIMIT_MS = 10_000;

/** The address from which AWS sees this machine: the one that is given, or found out. @throws UserError (3) if it cannot be found out */
export async function callerOf(reachedFrom: string | null): Promise<string> {
  if (reachedFrom !== null) return reachedFrom;
  try {
    const response = await fetch(ADDRESS_SERVICE, { signal: AbortSignal.timeout(ADDRESS_LIMIT_MS) });
    return z.ipv4().parse((await response.text()).trim());
  } catch (cause) {
    throw new Unavailable(
      `the public IPv4 address of this machine cannot be found out from ${ADDRESS_SERVICE}; write it as "fleet.fargate.reachedFrom"`,
      { cause },
    );
  }
}

/** An IPv4 address, and the ports that it may reach, both included. */
export interface Guest {
  address: string;
  from: number;
  to: number;
}

/**
 * Lets these in and nobody else, changing only what differs.
 *
 * @param clients of the coordinator's region
 * @throws UserError (3) if AWS refuses, or there is no room
 */
export function admit({ ec2, region }: Clients, groupIds: readonly string[], guests: readonly Guest[]): Promise<void> {
  const missing = new Map(guests.map((guest) => [nameOf(guest), guest]));
  return onAws({ what: 'who may reach the coordinator', region }, async () => {
    const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({ GroupIds: [...groupIds] }));
    const groups = SecurityGroups.map(({ GroupId, IpPermissions = [] }) => {
      const held = IpPermissions.flatMap(({ FromPort: from = 0, ToPort: to = 0, IpRanges = [] }) =>
        IpRanges.map(({ CidrIp = '' }): Guest => ({ address: CidrIp.replace(MASK, ''), from, to })),
      );
      // Those that are held already are missing no more.
      const stale = held.filter((guest) => !missing.delete(nameOf(guest)));
      return { GroupId, stale, room: RULES_PER_GROUP - held.length + stale.length };
    });
    for (const { GroupId, stale, room } of groups) {
      const some = [...missing.values()].slice(0, room);
      for (const guest of some) missing.delete(nameOf(guest));
      await changeRules(stale, (guests) => ec2.send(new RevokeSecurityGroupIngressCommand(rulesOf(GroupId, guests))));
      await changeRules(some, (guests) => ec2.send(new AuthorizeSecurityGroupIngressCommand(rulesOf(GroupId, guests))));
    }
    if (missing.size === 0) return;
    throw new Unavailable(`the stack's security groups have no room for ${missing.size} more addresses`);
  });
}

const DONE = ['InvalidPermission.Duplicate', 'InvalidPermission.NotFound'];

/** A description may be older than the last change, and AWS refuses a whole call for one rule that is there, or gone, already. */
async function changeRules(
  guests: readonly Guest[],
  send: (guests: readonly Guest[]) => Promise<unknown>,
): Promise<void> {
  if (guests.length === 0) return;
  const unlessDone = (error: Error) => {
    if (!DONE.includes(error.name)) throw error;
    return 'in part';
  };
  if ((await send(guests).catch(unlessDone)) !== 'in part' || guests.length === 1) return;
  for (const guest of guests) await send([guest]).catch(unlessDone);
}

const MASK = '/32';

const nameOf = ({ address, from, to }: Guest) => `${address} ${from}-${to}`;

function rulesOf(GroupId: string | undefined, guests: readonly Guest[]) {
  const rule = ({ address, from, to }: Guest) => ({
    ...{ IpProtocol: 'tcp', FromPort: from, ToPort: to },
    IpRanges: [{ CidrIp: address + MASK }],
  });
  return { GroupId, IpPermissions: guests.map(rule) };
}

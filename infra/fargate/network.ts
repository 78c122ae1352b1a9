/** The networks that tasks start in: each region's default one, and the public addresses that tasks get there. */
import { DescribeNetworkInterfacesCommand, DescribeSubnetsCommand } from '@aws-sdk/client-ec2';
import type { Task } from '@aws-sdk/client-ecs';
import { UserError } from '../../results/user-error.ts';
import type { Clients } from './clients.ts';
import { onAws } from './errors.ts';

export interface Network {
  vpcId: string;
  /** One per availability zone; where one has no room another may. */
  subnetIds: string[];
}

/**
 * The region's default network, which every account has unless somebody deleted it.
 *
 * @throws UserError (3) if there is none
 */
export async function findNetwork({ ec2, region }: Clients): Promise<Network> {
  const { Subnets = [] } = await onAws({ what: 'the default network', region }, () =>
    ec2.send(new DescribeSubnetsCommand({ Filters: [{ Name: 'default-for-az', Values: ['true'] }] })),
  );
  const vpcId = Subnets[0]?.VpcId;
  if (vpcId !== undefined) return { vpcId, subnetIds: Subnets.flatMap(({ SubnetId }) => SubnetId ?? []).sort() };
  throw new UserError(
    `the account has no default network in ${region}. Make one with: aws ec2 create-default-vpc --region ${region}`,
    { exitCode: 3 },
  );
}

/** A filter takes 200 values; tasks are described by the hundred, too. */
const INTERFACES_PER_CALL = 100;

/**
 * The public IPv4 addresses of running tasks, by task. A task is missing where AWS knows none yet, or has just taken the
 * task back with its interface.
 */
export async function publicAddresses({ ec2, region }: Clients, tasks: readonly Task[]): Promise<Map<string, string>> {
  const interfaceOf = new Map(tasks.map((task) => [task.taskArn!, interfaceId(task)]));
  const ids = [...interfaceOf.values()].filter((id) => id !== undefined);
  const addressOf = new Map<string, string>();
  for (let from = 0; from < ids.length; from += INTERFACES_PER_CALL) {
    const { NetworkInterfaces = [] } = await onAws({ what: 'the addresses of tasks', region }, () =>
      ec2.send(
        // By a filter: asked for by its id, one that is gone would fail the call for all others.
        new DescribeNetworkInterfacesCommand({
          Filters: [{ Name: 'network-interface-id', Values: ids.slice(from, from + INTERFACES_PER_CALL) }],
        }),
      ),
    );
    for (const { NetworkInterfaceId, Association } of NetworkInterfaces) {
      if (NetworkInterfaceId && Association?.PublicIp) addressOf.set(NetworkInterfaceId, Association.PublicIp);
    }
  }
  return new Map(
    [...interfaceOf].flatMap(([arn, id]): [string, string][] => {
      const address = id && addressOf.get(id);
      return address ? [[arn, address]] : [];
    }),
  );
}

function interfaceId({ attachments = [] }: Task): string | undefined {
  const details = attachments.find(({ type }) => type === 'ElasticNetworkInterface')?.details;
  return details?.find(({ name }) => name === 'networkInterfaceId')?.value;
}

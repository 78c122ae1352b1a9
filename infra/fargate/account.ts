/** Everything about an account that can be checked before anything is created in it. */
import { DescribeSubnetsCommand } from '@aws-sdk/client-ec2';
import { GetAWSDefaultServiceQuotaCommand, GetServiceQuotaCommand } from '@aws-sdk/client-service-quotas';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { Unavailable } from '../../results/user-error.ts';
import type { Aws, Clients } from './clients.ts';
import { checkDoors } from './doors.ts';
import { isMissing, onAws, quotaPage } from './errors.ts';
import type { Deployment } from './plan/deployment.ts';
import type { QuotaNeed } from './plan/plan.ts';
import { capacityOf } from './plan/prices.ts';

/** The network that a region's tasks start in. */
export interface Network {
  vpcId: string;
  /** One per availability zone; if one has no room another may. */
  subnetIds: string[];
}

/**
 * @param needs the vCPUs that are needed at once, by region
 * @returns the network of each region
 * @throws UserError (2) for more tasks than can be let in, (3) for missing credentials, permissions, networks or quotas
 */
export async function checkAccount(
  aws: Aws,
  { userTasksAtOnce, serverRegion, regions }: Deployment,
  needs: readonly QuotaNeed[],
): Promise<Map<string, Network>> {
  checkDoors(userTasksAtOnce);
  await onAws({ what: 'your AWS account', region: serverRegion }, () =>
    aws(serverRegion).sts.send(new GetCallerIdentityCommand({})),
  );
  const networks = new Map<string, Network>();
  for (const region of regions) networks.set(region, await findNetwork(aws(region)));
  const tooSmall: string[] = [];
  for (const { region, spot, vcpus } of needs.filter((need) => need.vcpus > 0)) {
    const { quota, code } = capacityOf(spot);
    const most = await readQuota(aws(region), spot);
    if (vcpus <= most) continue;
    tooSmall.push(
      `${region}: ${vcpus} vCPU are needed at once, "${quota}" is ${most}; ask for more: ${quotaPage(region, code)}`,
    );
  }
  if (tooSmall.length > 0) {
    throw new Unavailable(
      `the account's quotas are too small, so nothing was created:\n  ${tooSmall.join('\n  ')}\n` +
        'Or take fewer users, or smaller "resources".',
    );
  }
  return networks;
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
  throw new Unavailable(
    `the account has no default network in ${region}. Make one with: aws ec2 create-default-vpc --region ${region}`,
  );
}

async function readQuota({ quotas, region }: Clients, spot: boolean): Promise<number> {
  const { quota, code } = capacityOf(spot);
  const input = { ServiceCode: 'fargate', QuotaCode: code };
  return onAws({ what: `the quota "${quota}"`, region }, async () => {
    const { Quota } = await quotas.send(new GetServiceQuotaCommand(input)).catch((error) => {
      // A quota that was never changed may be known by its default only.
      if (isMissing(error)) return quotas.send(new GetAWSDefaultServiceQuotaCommand(input));
      throw error;
    });
    return Quota?.Value ?? 0;
  });
}

/** Everything about an account that can be checked before anything is created in it. */
import { GetAWSDefaultServiceQuotaCommand, GetServiceQuotaCommand } from '@aws-sdk/client-service-quotas';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { UserError } from '../../results/user-error.ts';
import type { Aws, Clients } from './clients.ts';
import { checkDoors } from './doors.ts';
import { isMissing, onAws, quotaPage } from './errors.ts';
import { findNetwork, type Network } from './network.ts';
import { checkDeployment, type Deployment } from './plan/deployment.ts';
import type { QuotaNeed } from './plan/plan.ts';

const QUOTA_SERVICE = 'fargate';
/** AWS's own codes of the two quotas, the same in every account. */
const QUOTA_CODES = {
  'on demand': { code: 'L-3032A538', name: 'Fargate On-Demand vCPU resource count' },
  spot: { code: 'L-36FBB829', name: 'Fargate Spot vCPU resource count' },
} as const;

/**
 * @param needs the vCPUs that are needed at once, by region
 * @returns the network of each region
 * @throws UserError (2) for a deployment that Fargate does not run, (3) for missing credentials, permissions, networks or quotas
 */
export async function checkAccount(
  aws: Aws,
  deployment: Deployment,
  needs: readonly QuotaNeed[],
): Promise<Map<string, Network>> {
  checkDeployment(deployment);
  checkDoors(deployment.userTasksAtOnce);
  await requireCredentials(aws(deployment.serverRegion));
  const networks = new Map<string, Network>();
  for (const region of deployment.regions) networks.set(region, await findNetwork(aws(region)));
  const tooSmall: string[] = [];
  for (const { region, kind, vcpus } of needs.filter((need) => need.vcpus > 0)) {
    const { name, code } = QUOTA_CODES[kind];
    const quota = await readQuota(aws(region), kind);
    if (vcpus <= quota) continue;
    tooSmall.push(
      `${region}: ${vcpus} vCPU are needed at once, "${name}" is ${quota}; ask for more: ${quotaPage(region, code)}`,
    );
  }
  if (tooSmall.length > 0) {
    throw new UserError(
      `the account's quotas are too small, so nothing was created:\n  ${tooSmall.join('\n  ')}\n` +
        'Or take fewer users, or smaller "resources".',
      { exitCode: 3 },
    );
  }
  return networks;
}

/** @throws UserError (3) if there are no valid credentials */
async function requireCredentials({ sts, region }: Clients): Promise<void> {
  await onAws({ what: 'your AWS account', region }, () => sts.send(new GetCallerIdentityCommand({})));
}

async function readQuota({ quotas, region }: Clients, kind: QuotaNeed['kind']): Promise<number> {
  const input = { ServiceCode: QUOTA_SERVICE, QuotaCode: QUOTA_CODES[kind].code };
  return onAws({ what: `the quota "${QUOTA_CODES[kind].name}"`, region }, async () => {
    const { Quota } = await quotas.send(new GetServiceQuotaCommand(input)).catch((error) => {
      // A quota that was never changed may be known by its default only.
      if (isMissing(error)) return quotas.send(new GetAWSDefaultServiceQuotaCommand(input));
      throw error;
    });
    return Quota?.Value ?? 0;
  });
}

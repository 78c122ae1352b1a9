/** The AWS clients of one region. Credentials and, for tests, another endpoint come from the environment as AWS defines it. */
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ECRClient } from '@aws-sdk/client-ecr';
import { ECSClient } from '@aws-sdk/client-ecs';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { STSClient } from '@aws-sdk/client-sts';
import { UserError } from '../../results/user-error.ts';

/** More than the SDK's 3: `up` and large fleets meet throttling as a matter of course, and adaptive retries slow down by themselves. */
const ATTEMPTS = 10;

export interface Clients {
  region: string;
  cloudFormation: CloudFormationClient;
  ecs: ECSClient;
  ec2: EC2Client;
  ecr: ECRClient;
  logs: CloudWatchLogsClient;
  sts: STSClient;
  quotas: ServiceQuotasClient;
}

/** Gives the clients of a region, the same each time. */
export type Aws = (region: string) => Clients;

/** @param options in place of the person's own configuration; tests point the clients at their own server */
export function connectAws(
  options: { endpoint?: string; credentials?: { accessKeyId: string; secretAccessKey: string } } = {},
): Aws {
  const known = new Map<string, Clients>();
  return (region) => {
    const config = { ...options, region, maxAttempts: ATTEMPTS, retryMode: 'adaptive' };
    const clients = known.get(region) ?? {
      region,
      cloudFormation: new CloudFormationClient(config),
      ecs: new ECSClient(config),
      ec2: new EC2Client(config),
      ecr: new ECRClient(config),
      logs: new CloudWatchLogsClient(config),
      sts: new STSClient(config),
      quotas: new ServiceQuotasClient(config),
    };
    known.set(region, clients);
    return clients;
  };
}

/**
 * The region that the person's own configuration names: where to begin when none is known.
 *
 * @throws UserError (2) if it names none
 */
export async function defaultRegion(): Promise<string> {
  try {
    return await new EC2Client({}).config.region();
  } catch (cause) {
    throw new UserError('no AWS region is set; set AWS_REGION, such as AWS_REGION=us-east-1, or give --regions', {
      exitCode: 2,
      cause,
    });
  }
}

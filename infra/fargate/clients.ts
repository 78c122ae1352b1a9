/** The AWS clients of one region, and the patience of calls to them. Credentials and, for tests, another endpoint come from the environment as AWS defines it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ECRClient } from '@aws-sdk/client-ecr';
import { ECSClient } from '@aws-sdk/client-ecs';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { STSClient } from '@aws-sdk/client-sts';
import { UserError } from '../../results/user-error.ts';

/** More than the SDK's 3: `up` and large fleets meet throttling as a matter of course, and adaptive retries slow down by themselves. */
const ATTEMPTS = 10;

const clientsOf = (region: string, options: ConnectOptions) => {
  const config = { ...options, region, maxAttempts: ATTEMPTS, retryMode: 'adaptive' };
  return {
    region,
    cloudFormation: new CloudFormationClient(config),
    ecs: new ECSClient(config),
    ec2: new EC2Client(config),
    ecr: new ECRClient(config),
    sts: new STSClient(config),
    quotas: new ServiceQuotasClient(config),
  };
};

export type Clients = ReturnType<typeof clientsOf>;

/** Gives the clients of a region, the same each time. */
export type Aws = (region: string) => Clients;

/** In place of the person's own configuration; tests point the clients at their own server. */
interface ConnectOptions {
  endpoint?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

export function connectAws(options: ConnectOptions = {}): Aws {
  const known = new Map<string, Clients>();
  return (region) => {
    const clients = known.get(region) ?? clientsOf(region, options);
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
      cause,
    });
  }
}

/** How patient the calls to AWS are. A test has less time than Fargate takes. */
export interface Pace {
  /** Between two looks at the same tasks. */
  pollMs: number;
  /** Before the first retry of something that failed; doubles with each. */
  backOffMs: number;
  /** From RunTask to RUNNING under a public address: a place, a network interface, and the pull of an image of a gigabyte. */
  startLimitMs: number;
  /** From StopTask to STOPPED: the stop timeout of 120 s, and some more for the network interface. */
  stopLimitMs: number;
  /** From a call to CloudFormation to its end; a stack takes about two minutes, and its deletion waits for network interfaces. */
  stackLimitMs: number;
}

export const FARGATE_PACE: Pace = {
  pollMs: 3000,
  backOffMs: 5000,
  startLimitMs: 600_000,
  stopLimitMs: 300_000,
  stackLimitMs: 1_800_000,
};

/** Context of all that takes its time on AWS. */
export interface Patience {
  pace: Pace;
  signal?: AbortSignal;
  /** Tells a person what is going on. */
  say(message: string): void;
}

/** Waits before the next try; longer each time. @throws the signal's reason if it aborts before */
export async function backOff({ pace, signal }: Omit<Patience, 'say'>, tries: number): Promise<void> {
  await pause(pace.backOffMs * 2 ** tries, signal);
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error) => {
    throw signal?.aborted ? signal.reason : error;
  });
}

/** Asks again and again until it is so, or the time is over. @returns false if the time is over */
export async function untilSo(
  { pace, signal }: Omit<Patience, 'say'>,
  limitMs: number,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const giveUpMs = performance.now() + limitMs;
  while (true) {
    signal?.throwIfAborted();
    if (await check()) return true;
    if (performance.now() >= giveUpMs) return false;
    await pause(pace.pollMs, signal);
  }
}

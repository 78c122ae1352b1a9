/** Errors of AWS, each as a sentence with the task, the region and the next step. */
import type { Failure, Task } from '@aws-sdk/client-ecs';
import { UserError } from '../../results/user-error.ts';

export type AwsErrorKind = (typeof PATTERNS)[number][0] | 'never-started' | 'other';

export interface AwsError {
  kind: AwsErrorKind;
  /** True if the same request may succeed a little later, or elsewhere. */
  retry: boolean;
  sentence: string;
}

/** An action and its place: "2 user tasks" in "us-west-1". */
export interface Attempt {
  what: string;
  region: string;
}

const RETRIED = new Set<string>(['throttled', 'role', 'capacity', 'interrupted', 'unreachable', 'never-started']);

/** Kinds of errors, each with its words in an error's name and text, and with its advice; the first that fits counts. */
const PATTERNS = [
  [
    'credentials',
    /CredentialsProviderError|Could not load credentials|UnrecognizedClient|InvalidClientTokenId|ExpiredToken|security token.*(invalid|expired)|SignatureDoesNotMatch|TokenProviderError|IncompleteSignature/i,
    () =>
      'AWS does not know who asks: there are no valid credentials. Sign in ("aws sso login" or "aws configure"), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ],
  [
    'region',
    /OptInRequired|AuthFailure/i,
    (region: string) =>
      `your credentials do not hold there, as in a region that the account has not enabled. Enable it with: aws account enable-region --region-name ${region}; "aws ec2 describe-regions" lists those that are`,
  ],
  [
    'denied',
    /AccessDenied|UnauthorizedOperation|not authorized|Forbidden/i,
    (_region: string, text: string) => {
      const [, action = 'a permission'] = /to perform:? ([\w-]+:\w+)/.exec(text) ?? [];
      return `your AWS user lacks ${action}. infra/fargate/iam-policy.json lists all rights that are needed; have it attached to your user or role`;
    },
  ],
  [
    'image',
    /CannotPullContainer|ImageNotFound|manifest unknown|pull image/i,
    () => 'the image cannot be pulled. Push it again with: ./scriptorium fargate up FILE',
  ],
  [
    'throttled',
    /Throttl|TooManyRequests|Rate exceeded|RequestLimitExceeded|SlowDown/i,
    () => 'AWS asks for fewer calls. Try again in a few minutes',
  ],
  [
    'quota',
    /limit on the number of (vCPUs|tasks)|concurrent.*limit|LimitExceeded|quota|VcpuLimit/i,
    (region: string) =>
      `the account's quota of Fargate vCPUs in ${region} is used up. Ask for more at ${quotaPage(region)}, end other tasks, or take fewer users`,
  ],
  [
    'role',
    /unable to assume the (service linked )?role|assume role|role.*(invalid|not.*trusted)/i,
    () => 'a role is not usable yet; a new one needs some seconds to become known',
  ],
  [
    'capacity',
    /capacity|RESOURCE:|InsufficientFreeAddresses|Unexpected EC2 error/i,
    (region: string) =>
      `${region} has no room for such tasks now. Try again later, or with "fleet.fargate.spot: false", or in another region`,
  ],
  ['memory', /OutOfMemory|OOM/, () => 'a container used up its memory. Write more "resources.user.memoryMiB"'],
  [
    'interrupted',
    /SpotInterruption|Spot Task was interrupted|TerminationNotice/i,
    () => 'AWS took the spot task back. Without spot ("fleet.fargate.spot: false") it does not',
  ],
  [
    'unreachable',
    /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|TimeoutError|NetworkingError|socket hang up/i,
    (region: string) =>
      `AWS cannot be reached in ${region}. Check the network and the region: "aws ec2 describe-regions" lists those that exist`,
  ],
] as const satisfies [string, RegExp, (region: string, text: string) => string][];

/** The page on which a person asks for a larger quota. */
export function quotaPage(region: string, code = ''): string {
  return `https://${region}.console.aws.amazon.com/servicequotas/home/services/fargate/quotas${code && `/${code}`}`;
}

/** Finds out what an error of the SDK means. */
export function errorOf(error: unknown, attempt: Attempt): AwsError {
  const { name, message, code } = error as Error & { code?: string };
  return classify(`${name ?? ''} ${code ?? ''} ${message ?? String(error)}`, `${message || name || error}`, attempt);
}

/** Meaning of one entry of `failures[]` in an answer to RunTask. */
export function errorOfFailure({ reason = '', detail = '' }: Failure, attempt: Attempt): AwsError {
  const text = [reason, detail].filter((part) => part !== '').join(': ');
  return classify(text, text, attempt);
}

/** Meaning of the end of a task that should still run. */
export function errorOfStoppedTask(task: Task, attempt: Attempt): AwsError {
  const containers = task.containers ?? [];
  const killed = containers.find(({ exitCode, reason }) => exitCode === 137 && /memory/i.test(reason ?? ''));
  const reasons = [task.stoppedReason, ...containers.map(({ reason }) => reason)].filter((reason) => reason);
  const said = [...new Set(reasons)].join('; ') || 'without a reason';
  const named = `${attempt.what} ${task.taskArn?.split('/').at(-1) ?? ''}`.trim();
  // First, because what containers say when they are told to end is no cause.
  const searched = isTakenBack(task) ? task.stopCode! : `${task.stopCode ?? ''} ${killed ? 'OutOfMemory' : ''} ${said}`;
  return classify(searched, said, { ...attempt, what: named });
}

function isTakenBack({ stopCode }: Task): boolean {
  return stopCode === 'SpotInterruption' || stopCode === 'TerminationNotice';
}

/** Meaning of a task that did not run in time, or not under a known address. */
export function errorOfSlowStart(attempt: Attempt, status: string, waitedMs: number): AwsError {
  return {
    kind: 'never-started',
    retry: true,
    sentence: `${attempt.what} in ${attempt.region} did not start within ${Math.round(waitedMs / 1000)} s (it is ${status === 'RUNNING' ? 'RUNNING, and its network without public addresses' : status}). Look at "Stopped reason" in the ECS console, or try another region`,
  };
}

function classify(searched: string, said: string, { what, region }: Attempt): AwsError {
  const [kind, , say] = PATTERNS.find(([, seen]) => seen.test(searched)) ?? (['other', null, null] as const);
  const text = said.trim();
  const sentence = `${what} in ${region}: ${say === null ? text : `${say(region, said)}. (AWS: ${text})`}`;
  return { kind, retry: RETRIED.has(kind), sentence };
}

/**
 * Does something on AWS; a failure becomes a sentence.
 *
 * @throws UserError (3) if AWS refuses or cannot be reached
 */
export async function onAws<T>(attempt: Attempt, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(errorOf(error, attempt).sentence, { exitCode: 3, cause: error });
  }
}

/** True if AWS says that a thing does not exist, in the words of any of its services. */
export function isMissing(error: unknown): boolean {
  const { name = '', message = '' } = error as Error;
  return (
    /NotFound|NoSuchEntity|NoSuchResource|DoesNotExist|ClusterNotFound/i.test(name) ||
    /does not exist|was not found|Unable to describe task definition/i.test(message)
  );
}

/** For `catch`: a value in place of an error that says that a thing does not exist. */
export function ifMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (isMissing(error)) return value;
    throw error;
  };
}

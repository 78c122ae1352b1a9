/** Errors of AWS, each as a sentence with the task, the region and the next step. */
import type { Task } from '@aws-sdk/client-ecs';
import { Unavailable, UserError } from '../../results/user-error.ts';

export interface AwsError {
  kind: keyof typeof KINDS | 'other';
  /** True if the same request may succeed a little later, or elsewhere. */
  retry: boolean;
  sentence: string;
}

/** An action and its place: "2 user tasks" in "us-west-1". */
export interface Attempt {
  what: string;
  region: string;
}

/** By kind, the words in an error's name and text, and the advice, with `REGION` and `ACTION` for its own; the first that fits counts. */
const KINDS = {
  // First, because what containers say when they are told to end is no cause.
  interrupted: [
    /SpotInterruption|Spot Task was interrupted|TerminationNotice/i,
    'AWS took the spot task back. Without spot ("fleet.fargate.spot: false") it does not',
  ],
  credentials: [
    /CredentialsProviderError|Could not load credentials|UnrecognizedClient|InvalidClientTokenId|ExpiredToken|security token.*(invalid|expired)|SignatureDoesNotMatch|TokenProviderError|IncompleteSignature/i,
    'AWS does not know who asks: there are no valid credentials. Sign in ("aws sso login" or "aws configure"), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ],
  region: [
    /OptInRequired|AuthFailure/i,
    'your credentials do not hold there, as in a region that the account has not enabled. Enable it with: aws account enable-region --region-name REGION; "aws ec2 describe-regions" lists those that are',
  ],
  boundary: [
    /policy\/scriptorium-boundary does not exist/i,
    'the account lacks the boundary of the role that starts tasks. Have an administrator make it once: aws iam create-policy --policy-name scriptorium-boundary --policy-document file://infra/fargate/iam-boundary.json',
  ],
  denied: [
    /AccessDenied|UnauthorizedOperation|not authorized|Forbidden/i,
    'your AWS user lacks ACTION. infra/fargate/iam-policy.json lists all rights that are needed; have it attached to your user or role',
  ],
  image: [
    /CannotPullContainer|ImageNotFound|manifest unknown|pull image/i,
    'the image cannot be pulled. Push it again with: ./scriptorium fargate up FILE',
  ],
  throttled: [
    /Throttl|TooManyRequests|Rate exceeded|RequestLimitExceeded|SlowDown/i,
    'AWS asks for fewer calls. Try again in a few minutes',
  ],
  quota: [
    /limit on the number of (vCPUs|tasks)|concurrent.*limit|VcpuLimit/i,
    `the account's quota of Fargate vCPUs in REGION is used up. Ask for more at ${quotaPage('REGION')}, end other tasks, or take fewer users`,
  ],
  // Such as of roles or of security groups, of which fewer users take no fewer.
  'other quota': [
    /LimitExceeded|quota/i,
    'a quota of the account is used up. Remove what nobody needs any more, or ask for more at https://REGION.console.aws.amazon.com/servicequotas/home',
  ],
  role: [
    /unable to assume the (service linked )?role|assume role|role.*(invalid|not.*trusted)/i,
    'a role is not usable yet; a new one needs some seconds to become known',
  ],
  capacity: [
    /capacity|RESOURCE:|InsufficientFreeAddresses|Unexpected EC2 error/i,
    'REGION has no room for such tasks now. Try again later, or with "fleet.fargate.spot: false", or in another region',
  ],
  memory: [/OutOfMemory|OOM/, 'a container used up its memory. Write more "resources.user.memoryMiB"'],
  unreachable: [
    /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|TimeoutError|NetworkingError|socket hang up/i,
    'AWS cannot be reached in REGION. Check the network and the region: "aws ec2 describe-regions" lists those that exist',
  ],
} satisfies Record<string, [RegExp, string]>;

const RETRIED = new Set<string>(['throttled', 'role', 'capacity', 'interrupted', 'unreachable']);

/** The page on which a person asks for a larger quota. */
export function quotaPage(region: string, code = ''): string {
  return `https://${region}.console.aws.amazon.com/servicequotas/home/services/fargate/quotas${code && `/${code}`}`;
}

/** Meaning of an error of the SDK, or of a reason that AWS gives. */
export function errorOf(error: unknown, attempt: Attempt): AwsError {
  const { name = '', code = '', message = `${error}` } = error as Error & { code?: string };
  return classify(`${name} ${code} ${message}`, message || name, attempt);
}

/** Meaning of the end of a task that should still run. */
export function errorOfStoppedTask(task: Task, { what, region }: Attempt): AwsError {
  const reasons = [task.stoppedReason, ...(task.containers ?? []).map(({ reason }) => reason)].filter(Boolean);
  const said = [...new Set(reasons)].join('; ') || 'without a reason';
  const named = `${what} ${task.taskArn?.split('/').at(-1)}`;
  return classify(`${task.stopCode ?? ''} ${said}`, said, { what: named, region });
}

function classify(searched: string, said: string, { what, region }: Attempt): AwsError {
  const known = Object.entries(KINDS).find(([, [words]]) => words.test(searched));
  const kind = (known?.[0] ?? 'other') as AwsError['kind'];
  const [, action = 'a permission'] = /to perform:? ([\w-]+:\w+)/.exec(said) ?? [];
  const advice = known?.[1][1].replaceAll('REGION', region).replace('ACTION', action);
  const sentence = `${what} in ${region}: ${advice === undefined ? said : `${advice}. (AWS: ${said})`}`;
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
    throw new Unavailable(errorOf(error, attempt).sentence, { cause: error });
  }
}

/** True if AWS says that a thing does not exist, in the words of any of its services. */
export function isMissing(error: unknown): boolean {
  const { name = '', message = '' } = error as Error;
  return (
    /NotFound|NoSuchEntity|NoSuchResource|DoesNotExist|ClusterNotFound/i.test(name) ||
    /does not exist|was not found/i.test(message)
  );
}

/** For `catch`: a value in place of an error that says that a thing does not exist. */
export function ifMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (isMissing(error)) return value;
    throw error;
  };
}

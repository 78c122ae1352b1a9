/** What AWS says when something fails, as a sentence that names the task, the region and what to do. */
import type { Failure, Task } from '@aws-sdk/client-ecs';
import { UserError } from '../../results/user-error.ts';

export type FaultKind =
  | 'capacity'
  | 'throttled'
  | 'quota'
  | 'image'
  | 'role'
  | 'denied'
  | 'credentials'
  | 'unreachable'
  | 'interrupted'
  | 'memory'
  | 'never-started'
  | 'no-address'
  | 'other';

export interface Fault {
  kind: FaultKind;
  /** Whether the same request may succeed a little later, or elsewhere. */
  retry: boolean;
  sentence: string;
}

/** What was being done, and where: "2 user tasks" in "us-west-1". */
export interface Attempt {
  what: string;
  region: string;
}

interface Pattern {
  kind: FaultKind;
  retry: boolean;
  /** Searched in the error's name and text. */
  seen: RegExp;
  say(attempt: Attempt): string;
}

const PATTERNS: readonly Pattern[] = [
  {
    kind: 'credentials',
    retry: false,
    seen: /CredentialsProviderError|Could not load credentials|UnrecognizedClient|InvalidClientTokenId|ExpiredToken|security token.*(invalid|expired)|AuthFailure|SignatureDoesNotMatch|TokenProviderError|IncompleteSignature/i,
    say: () =>
      'AWS does not know who asks: there are no valid credentials. Sign in ("aws sso login" or "aws configure"), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  },
  {
    kind: 'denied',
    retry: false,
    seen: /AccessDenied|UnauthorizedOperation|not authorized|OptInRequired|Forbidden/i,
    say: () =>
      'your AWS user lacks a permission. infra/fargate/iam-policy.json lists all that are needed; have it attached to your user or role',
  },
  {
    kind: 'image',
    retry: false,
    seen: /CannotPullContainer|ImageNotFound|manifest unknown|pull image/i,
    say: () => 'the image cannot be pulled. Push it again with: ./scriptorium fargate up FILE',
  },
  {
    kind: 'throttled',
    retry: true,
    seen: /Throttl|TooManyRequests|Rate exceeded|RequestLimitExceeded|SlowDown/i,
    say: () => 'AWS asks for fewer calls. Try again in a few minutes',
  },
  {
    kind: 'quota',
    retry: false,
    seen: /limit on the number of (vCPUs|tasks)|concurrent.*limit|LimitExceeded|quota|VcpuLimit/i,
    say: ({ region }) =>
      `the account's quota of Fargate vCPUs in ${region} is used up. Ask for more under Service Quotas → AWS Fargate, end other tasks, or take fewer users`,
  },
  {
    kind: 'role',
    retry: true,
    seen: /unable to assume the (service linked )?role|assume role|role.*(invalid|not.*trusted)/i,
    say: () => 'the execution role is not usable yet; a new role needs some seconds to become known',
  },
  {
    kind: 'capacity',
    retry: true,
    seen: /capacity|RESOURCE:|InsufficientFreeAddresses|Unexpected EC2 error/i,
    say: ({ region }) =>
      `${region} has no room for such tasks now. Try again later, or with "fleet.fargate.spot: false", or in another region`,
  },
  {
    kind: 'memory',
    retry: false,
    seen: /OutOfMemory|OOM/,
    say: () => 'a container used up its memory. Write more "resources.user.memoryMiB"',
  },
  {
    kind: 'interrupted',
    retry: true,
    seen: /SpotInterruption|Spot Task was interrupted|TerminationNotice/i,
    say: () => 'AWS took the spot task back. Without spot ("fleet.fargate.spot: false") it does not',
  },
  {
    kind: 'unreachable',
    retry: true,
    seen: /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|TimeoutError|NetworkingError|socket hang up/i,
    say: ({ region }) => `AWS cannot be reached in ${region}. Check the network and the name of the region`,
  },
];

/** Finds out what an error of the SDK means. */
export function faultOf(error: unknown, attempt: Attempt): Fault {
  const { name, message, code } = error as Error & { code?: string };
  return classify(`${name ?? ''} ${code ?? ''} ${message ?? String(error)}`, `${message || name || error}`, attempt);
}

/** What one entry of `failures[]` in an answer to RunTask means. */
export function faultOfFailure({ reason = '', detail = '' }: Failure, attempt: Attempt): Fault {
  const text = [reason, detail].filter((part) => part !== '').join(': ');
  return classify(text, text, attempt);
}

/** What the end of a task means that should still run. */
export function faultOfStoppedTask(task: Task, attempt: Attempt): Fault {
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

/** What it means that a task runs, and nobody can say under which address. */
export function faultOfNoAddress(attempt: Attempt, waitedMs: number): Fault {
  return {
    kind: 'no-address',
    retry: true,
    sentence: `${attempt.what} in ${attempt.region} has no public address ${Math.round(waitedMs / 1000)} s after it started. Its subnet in the region's default network must be a public one`,
  };
}

/** What it means that a task did not run in time. */
export function faultOfSlowStart(attempt: Attempt, status: string, waitedMs: number): Fault {
  return {
    kind: 'never-started',
    retry: true,
    sentence: `${attempt.what} in ${attempt.region} did not start within ${Math.round(waitedMs / 1000)} s (it is ${status}). Look at "Stopped reason" in the ECS console, or try another region`,
  };
}

function classify(searched: string, said: string, attempt: Attempt): Fault {
  const pattern = PATTERNS.find(({ seen }) => seen.test(searched));
  const where = `${attempt.what} in ${attempt.region}`;
  if (pattern === undefined) return { kind: 'other', retry: false, sentence: `${where}: ${said.trim()}` };
  return {
    kind: pattern.kind,
    retry: pattern.retry,
    sentence: `${where}: ${pattern.say(attempt)}. (AWS: ${said.trim()})`,
  };
}

/**
 * Does something on AWS; what fails becomes a sentence.
 *
 * @throws UserError (3) where AWS refuses or cannot be reached
 */
export async function onAws<T>(attempt: Attempt, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(faultOf(error, attempt).sentence, { exitCode: 3, cause: error });
  }
}

/** Whether AWS says that a thing does not exist, in the words of any of its services. */
export function isMissing(error: unknown): boolean {
  const { name = '', message = '' } = error as Error;
  return (
    /NotFound|NoSuchEntity|NoSuchResource|DoesNotExist|ClusterNotFound/i.test(name) ||
    /does not exist|was not found|Unable to describe task definition/i.test(message)
  );
}

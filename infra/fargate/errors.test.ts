import { describe, expect, test } from 'vitest';
import { errorOf, errorOfStoppedTask } from './errors.ts';

const attempt = { what: 'the "users" task', region: 'eu-north-1' };
const arn = 'arn:aws:ecs:eu-north-1:123456789012:task/scriptorium-x/abc';

describe('what AWS says becomes a sentence with task, region and advice', () => {
  const EXITED = ['EssentialContainerExited', 'Essential container in task exited'] as const;
  const INTERRUPTED = ['SpotInterruption', 'Your Spot Task was interrupted.'] as const;
  const PULL = 'CannotPullContainerError: pull image manifest has been retried 5 time(s): failed to resolve ref';
  const OUT_OF_MEMORY = { exitCode: 137, reason: 'OutOfMemoryError: Container killed due to memory usage' };
  test.each([
    [...EXITED, [OUT_OF_MEMORY], 'memory', /abc in eu-north-1: a container used up its memory. Write more "resources/],
    [...INTERRUPTED, [], 'interrupted', /AWS took the spot task back/],
    [...INTERRUPTED, [OUT_OF_MEMORY], 'interrupted', /AWS took the spot task back/],
    [...EXITED, [{ exitCode: 7 }, { exitCode: 143 }], 'other', /abc in eu-north-1: Essential container in task exited/],
    ['TaskFailedToStart', PULL, [], 'image', /fargate up FILE/],
    ['TaskFailedToStart', 'ECS was unable to assume the role', [], 'role', /needs some seconds/],
    ['UserInitiated', undefined, [], 'other', /without a reason/],
  ] as const)('a stopped task: %s, %s', (stopCode, stoppedReason, containers, kind, sentence) => {
    const error = errorOfStoppedTask({ taskArn: arn, stopCode, stoppedReason, containers: [...containers] }, attempt);
    expect(error.kind).toBe(kind);
    expect(error.sentence).toMatch(sentence);
  });

  test.each([
    ['ThrottlingException', 'Rate exceeded', 'throttled', true],
    ['RequestLimitExceeded', 'Request limit exceeded.', 'throttled', true],
    ['ClientException', 'You’ve reached the limit on the number of vCPUs you can run concurrently', 'quota', false],
    ['LimitExceededException', 'The maximum number of clusters', 'other quota', false],
    ['ClientException', 'Capacity is unavailable at this time.', 'capacity', true],
    ['UnauthorizedOperation', 'You are not authorized to perform this operation.', 'denied', false],
    ['NoSuchEntity', 'Scope ARN: arn:aws:iam::1:policy/scriptorium-boundary does not exist', 'boundary', false],
    ['OptInRequired', 'You are not subscribed to this service.', 'region', false],
    ['ExpiredTokenException', 'The security token included in the request is expired', 'credentials', false],
    ['Error', 'getaddrinfo ENOTFOUND ecs.mars-1.amazonaws.com', 'unreachable', true],
    ['InvalidParameterException', 'something else', 'other', false],
  ] as const)('%s: %s', (name, message, kind, retry) => {
    const error = errorOf(Object.assign(new Error(message), { name }), attempt);
    expect(error).toMatchObject({ kind, retry });
    expect(error.sentence).toContain('the "users" task in eu-north-1: ');
    expect(error.sentence).toContain(message);
  });

  test('a quota of something else is not told as one of vCPUs', () => {
    const { sentence } = errorOf('Cannot exceed quota for RolesPerAccount: 1000', attempt);
    expect(sentence).toMatch(/a quota of the account is used up\. .* https:\/\/eu-north-1\..*RolesPerAccount/);
    expect(sentence).not.toMatch(/vCPU|fewer users/);
  });

  test('an entry of failures[]', () => {
    expect(errorOf('RESOURCE:MEMORY: none', attempt)).toMatchObject({ kind: 'capacity', retry: true });
  });
});

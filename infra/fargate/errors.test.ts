import { describe, expect, test } from 'vitest';
import { errorOf, errorOfFailure, errorOfStoppedTask } from './errors.ts';

const attempt = { what: 'the "users" task', region: 'eu-north-1' };
const arn = 'arn:aws:ecs:eu-north-1:123456789012:task/scriptorium-x/abc';

describe('what AWS says becomes a sentence with task, region and advice', () => {
  test.each([
    [
      {
        stopCode: 'EssentialContainerExited',
        stoppedReason: 'Essential container in task exited',
        containers: [{ exitCode: 137, reason: 'OutOfMemoryError: Container killed due to memory usage' }],
      },
      'memory',
      /abc in eu-north-1: a container used up its memory. Write more "resources.user.memoryMiB"/,
    ],
    [
      { stopCode: 'SpotInterruption', stoppedReason: 'Your Spot Task was interrupted.' },
      'interrupted',
      /AWS took the spot task back/,
    ],
    [
      {
        stopCode: 'SpotInterruption',
        stoppedReason: 'Your Spot Task was interrupted.',
        containers: [{ exitCode: 137, reason: 'OutOfMemoryError: Container killed due to memory usage' }],
      },
      'interrupted',
      /AWS took the spot task back/,
    ],
    [
      {
        stopCode: 'EssentialContainerExited',
        stoppedReason: 'Essential container in task exited',
        containers: [{ exitCode: 7 }, { exitCode: 143 }],
      },
      'other',
      /abc in eu-north-1: Essential container in task exited/,
    ],
    [
      {
        stopCode: 'TaskFailedToStart',
        stoppedReason:
          'CannotPullContainerError: pull image manifest has been retried 5 time(s): failed to resolve ref',
      },
      'image',
      /fargate up FILE/,
    ],
    [
      { stopCode: 'TaskFailedToStart', stoppedReason: 'ECS was unable to assume the role' },
      'role',
      /needs some seconds/,
    ],
    [{ stopCode: 'UserInitiated' }, 'other', /without a reason/],
  ] as const)('a stopped task: %j', (task, kind, sentence) => {
    const error = errorOfStoppedTask(
      { taskArn: arn, ...task, containers: [...('containers' in task ? task.containers : [])] },
      attempt,
    );
    expect(error.kind).toBe(kind);
    expect(error.sentence).toMatch(sentence);
  });

  test.each([
    ['ThrottlingException', 'Rate exceeded', 'throttled', true],
    ['RequestLimitExceeded', 'Request limit exceeded.', 'throttled', true],
    ['LimitExceededException', 'The maximum number of clusters', 'quota', false],
    ['ClientException', 'Capacity is unavailable at this time.', 'capacity', true],
    ['UnauthorizedOperation', 'You are not authorized to perform this operation.', 'denied', false],
    ['ExpiredTokenException', 'The security token included in the request is expired', 'credentials', false],
    ['Error', 'getaddrinfo ENOTFOUND ecs.mars-1.amazonaws.com', 'unreachable', true],
    ['InvalidParameterException', 'something else', 'other', false],
  ] as const)('%s: %s', (name, message, kind, retry) => {
    const error = errorOf(Object.assign(new Error(message), { name }), attempt);
    expect(error).toMatchObject({ kind, retry });
    expect(error.sentence).toContain('the "users" task in eu-north-1: ');
    expect(error.sentence).toContain(message);
  });

  test('an entry of failures[]', () => {
    expect(errorOfFailure({ arn, reason: 'RESOURCE:MEMORY', detail: 'none' }, attempt)).toMatchObject({
      kind: 'capacity',
      retry: true,
    });
  });
});

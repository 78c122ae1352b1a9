import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { readTaskMetadata } from './task-metadata.ts';

/** Serves an answer as the metadata endpoint does, and reads it. */
async function read(answer: object) {
  const http = createServer((request, response) => {
    response.writeHead(request.url === '/v4/abc/task' ? 200 : 404).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  const metadata = await readTaskMetadata({ ECS_CONTAINER_METADATA_URI_V4: `http://127.0.0.1:${port}/v4/abc` });
  http.close();
  return metadata;
}

const TASK = {
  TaskARN: 'arn:aws:ecs:eu-north-1:123456789012:task/c/0123',
  AvailabilityZone: 'eu-north-1b',
  LaunchType: 'FARGATE',
  Limits: { CPU: 0.5, Memory: 1024 },
  ClockDrift: { ClockErrorBound: 0.31, ClockSynchronizationStatus: 'SYNCHRONIZED' },
};

test('a task on Fargate knows its place, its limits, and how exact its clock is', async () => {
  expect(await read(TASK)).toEqual({
    taskArn: TASK.TaskARN,
    region: 'eu-north-1',
    availabilityZone: 'eu-north-1b',
    launchType: 'FARGATE',
    cpus: 0.5,
    memoryMiB: 1024,
    clockErrorMs: 0.31,
  });
});

test('a clock that is not synchronised has no bound', async () => {
  const drifting = { ...TASK, ClockDrift: { ClockErrorBound: 0.31, ClockSynchronizationStatus: 'NOT_SYNCHRONIZED' } };
  expect((await read(drifting))!.clockErrorMs).toBeNull();
  expect((await read({ TaskARN: TASK.TaskARN }))!.clockErrorMs).toBeNull();
});

test('elsewhere there is none', async () => {
  expect(await readTaskMetadata({})).toBeNull();
});

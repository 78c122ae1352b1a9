import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { containerLimits, freeMemoryMiB, readTaskMetadata } from './container.ts';

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

const root = folderOfEachTest();

/** The kernel's files for half a core and 1 GiB, and for no limits, in both versions of control groups. */
test.each([
  ['version 2', { 'cpu.max': '50000 100000\n', 'memory.max': '1073741824\n' }, { cpus: 0.5, memoryMiB: 1024 }],
  ['version 2, none', { 'cpu.max': 'max 100000\n', 'memory.max': 'max\n' }, { cpus: null, memoryMiB: null }],
  [
    'version 1',
    {
      'cpu/cpu.cfs_quota_us': '50000\n',
      'cpu/cpu.cfs_period_us': '100000\n',
      'memory/memory.limit_in_bytes': '1073741824\n',
    },
    { cpus: 0.5, memoryMiB: 1024 },
  ],
  [
    'version 1, none',
    {
      'cpu/cpu.cfs_quota_us': '-1\n',
      'cpu/cpu.cfs_period_us': '100000\n',
      'memory/memory.limit_in_bytes': '9223372036854771712\n',
    },
    { cpus: null, memoryMiB: null },
  ],
  ['no control groups', {}, { cpus: null, memoryMiB: null }],
])('%s', async (_version, files, limits) => {
  for (const [name, content] of Object.entries(files)) await root.put(name, content);
  expect(containerLimits(root.path)).toEqual(limits);
});

const MIB = 2 ** 20;

test.each([
  ['memory.max', 'memory.current', 'memory.stat'],
  ['memory/memory.limit_in_bytes', 'memory/memory.usage_in_bytes', 'memory/memory.stat'],
])('of a container the limit counts, less what it uses but for files: %s', async (limit, usage, stat) => {
  const freeOf = (machineFreeMiB: number) => freeMemoryMiB({ root: root.path, machineFreeMiB });
  expect(freeOf(8000)).toBe(8000);
  await root.put(limit, `${2048 * MIB}\n`);
  await root.put(usage, `${1500 * MIB}\n`);
  const ofFiles = `inactive_file ${400 * MIB}\nactive_file ${200 * MIB}\ntotal_active_file 7\n`;
  await root.put(stat, `anon ${900 * MIB}\n${ofFiles}`);
  expect([freeOf(8000), freeOf(700)]).toEqual([1148, 700]);
});

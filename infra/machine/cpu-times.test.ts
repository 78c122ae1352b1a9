import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { folderOfEachTest } from '../../tests/folders.ts';
import { cpuTimes, withheldTime } from './cpu-times.ts';

const root = folderOfEachTest();

async function cpuTimesOf(stat: string) {
  await root.put('proc/stat', stat);
  return cpuTimes(root.path);
}

test('golden: interrupts are busy, waiting for disks is idle, and guests count once, as part of user and nice', async () => {
  // user 10, nice 1, system 5, idle 80, waiting for disks 2, interrupts 3 and 4, stolen 6, guests 7 and 0.
  expect(
    await cpuTimesOf('cpu  10 1 5 80 2 3 4 6 7 0\ncpu0 5 1 2 40 1 1 2 3 7 0\ncpu1 5 0 3 40 1 2 2 3 0 0\nintr 9\n'),
  ).toEqual({
    cores: 2,
    busyMs: 230,
    idleMs: 820,
    stealMs: 60,
  });
});

test('a kernel that tells of no hypervisor, and a system that tells nothing', async () => {
  expect(await cpuTimesOf('cpu 1 1 1 5\n')).toEqual({ cores: 1, busyMs: 30, idleMs: 50, stealMs: null });
  expect(await cpuTimesOf('')).toBeNull();
  await rm(root.in('proc/stat'));
  expect(cpuTimes(root.path)).toBeNull();
});

const STAT = 'cpu  9 8 7 6 5 4 3 250 1 1\ncpu0 4 4 4 3 3 2 2 200 1 1\ncpu1 5 4 3 3 2 2 1 50 0 0\nintr 1\n';
const VERSION_2 = { 'proc/self/cgroup': '0::/pod/task\n' };
const VERSION_1 = { 'proc/self/cgroup': '5:memory:/m\n4:cpu,cpuacct:/pod\n1:cpuset:/other\n0::/\n' };

test.each([
  ['no Linux', {}, { cores: 1, stealMs: null, throttledMs: null }],
  ['no limit', { 'proc/stat': STAT }, { cores: 2, stealMs: 2500, throttledMs: null }],
  [
    'version 2: what holds up a group around it counts, too',
    {
      ...VERSION_2,
      'sys/fs/cgroup/pod/task/cpu.stat': 'usage_usec 9\nnr_throttled 3\nthrottled_usec 1500\n',
      'sys/fs/cgroup/pod/cpu.stat': 'throttled_usec 500\n',
      'sys/fs/cgroup/cpu.stat': 'usage_usec 10\n',
    },
    { throttledMs: 2 },
  ],
  [
    'version 2, in a container that sees itself as the outermost',
    { ...VERSION_2, 'sys/fs/cgroup/cpu.stat': 'throttled_usec 4000\n' },
    { throttledMs: 4 },
  ],
  [
    'version 1',
    { ...VERSION_1, 'sys/fs/cgroup/cpu,cpuacct/pod/cpu.stat': 'nr_throttled 3\nthrottled_time 7000000\n' },
    { throttledMs: 7 },
  ],
])('%s', async (_, files, expected) => {
  for (const [name, content] of Object.entries(files)) await root.put(name, content);
  expect(withheldTime(root.path)).toMatchObject(expected);
});

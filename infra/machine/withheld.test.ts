import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withheldTime } from './withheld.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'withheld-test-'));
});
afterEach(() => rm(root, { recursive: true }));

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
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  expect(withheldTime(root)).toMatchObject(expected);
});

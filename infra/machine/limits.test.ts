import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { containerLimits } from './limits.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'limits-test-'));
});
afterEach(() => rm(root, { recursive: true }));

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
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  expect(containerLimits(root)).toEqual(limits);
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cpuTimes } from './cpu-times.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cpu-times-test-'));
  await mkdir(join(root, 'proc'));
});
afterEach(() => rm(root, { recursive: true }));

async function cpuTimesOf(stat: string) {
  await writeFile(join(root, 'proc/stat'), stat);
  return cpuTimes(root);
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
  await rm(join(root, 'proc/stat'));
  expect(cpuTimes(root)).toBeNull();
});

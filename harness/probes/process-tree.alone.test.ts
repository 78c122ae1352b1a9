import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { readProcessStat } from '../../infra/process/stat.ts';
import {
  CAN_PROBE_PROCESSES,
  markedProcesses,
  memoryBytesOf,
  processMemoryBytes,
  processTree,
  TreeCpu,
} from './process-tree.ts';

test.runIf(CAN_PROBE_PROCESSES)(
  'finds descendants, and reads what they used; what is gone is null or absent',
  async () => {
    // A shell whose child works until it has used 300 ms of CPU, then waits; the shell waits for it.
    const work =
      'while (process.cpuUsage().user + process.cpuUsage().system < 300_000); console.log("done"); setInterval(() => {}, 1e6)';
    const shell = spawn('sh', ['-c', `"${process.execPath}" -e '${work}'; true`], { detached: true });
    await once(shell.stdout, 'data');
    const tree = processTree(shell.pid!);
    expect(tree).toHaveLength(2);
    expect(tree).toContain(shell.pid);
    const child = tree.find((pid) => pid !== shell.pid)!;
    // In steps of 10 ms.
    expect(readProcessStat(child)!.cpuMs).toBeGreaterThanOrEqual(250);
    expect(await processMemoryBytes(child)).toBeGreaterThan(5 * 2 ** 20);
    process.kill(-shell.pid!, 'SIGKILL');
    await once(shell, 'close');
    expect(processTree(shell.pid!)).toEqual([]);
    expect(readProcessStat(shell.pid!)).toBeNull();
    expect(await processMemoryBytes(shell.pid!)).toBeNull();
  },
);

test.runIf(CAN_PROBE_PROCESSES)(
  'memory of several processes is not known where one of them cannot be read',
  async () => {
    const ended = spawn(process.execPath, ['--version']);
    await once(ended, 'close');
    const own = process.pid;
    expect(await memoryBytesOf([own, own], async () => 5)).toBe(10);
    expect(await memoryBytesOf([own, ended.pid!])).toBeGreaterThan(5 * 2 ** 20);
    const nothingOf = (unreadable: number) => async (pid: number) => (pid === unreadable ? null : 5);
    expect(await memoryBytesOf([own, ended.pid!], nothingOf(ended.pid!))).toBe(5);
    expect(await memoryBytesOf([ended.pid!, own], nothingOf(own))).toBeNull();
  },
);

test.runIf(CAN_PROBE_PROCESSES)('a process that ended, but was not yet asked how, holds no memory', async () => {
  // The shell's child ends when the shell has become something else, which never asks.
  const shell = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 10']);
  const [said] = await once(shell.stdout, 'data');
  const child = Number(String(said));
  await expect.poll(() => readFileSync(`/proc/${child}/stat`, 'utf8')).toMatch(/\) Z /);
  expect(await memoryBytesOf([child])).toBe(0);
  shell.kill('SIGKILL');
  await once(shell, 'close');
});

test.runIf(CAN_PROBE_PROCESSES)('CPU time has finer steps than 10 ms, and keeps what ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
  await once(child, 'spawn');
  const cpu = new TreeCpu([child.pid!]);
  await vi.waitFor(() => expect(cpu.readMs()).toBeGreaterThan(10));
  const readings = [cpu.readMs()!];
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(readings[0]! % 10).not.toBe(0);
  // No process has ever begun without waiting for its core.
  expect(cpu.waitedMs()).toBeGreaterThan(0);
  for (let i = 0; i < 6; i++) readings.push(cpu.readMs()!);
  expect(readings.at(-1)).toBeGreaterThanOrEqual(readings[0]!);
  expect(cpu.pids).toEqual([]);
});

test.runIf(CAN_PROBE_PROCESSES)('a process that left its parent and its session is found by its mark', async () => {
  const mark = `mark-${process.pid}`;
  // The shell ends, and its child, in a session of its own, goes on.
  const shell = spawn('sh', ['-c', 'setsid sleep 60 > /dev/null 2>&1 & echo $!'], {
    env: { ...process.env, MARK: mark },
  });
  const [said] = await once(shell.stdout, 'data');
  const child = Number(String(said));
  await once(shell, 'close');
  try {
    expect(markedProcesses(mark)).toEqual([child]);
    const cpu = new TreeCpu([], () => markedProcesses(mark));
    cpu.readMs();
    expect(cpu.pids).toEqual([child]);
  } finally {
    process.kill(child, 'SIGKILL');
  }
});

test('a process that says more than the kernel shows is believed; with nothing known, there is no figure', () => {
  const cpu = new TreeCpu();
  expect(cpu.readMs()).toBeNull();
  cpu.hear(1, 27.25);
  cpu.hear(1, 20);
  cpu.hear(2, 30);
  expect(cpu.readMs()).toBe(57.25);
});

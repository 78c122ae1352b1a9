import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { CAN_PROBE_PROCESSES, createTreeCpu } from './process-tree.ts';
import { type ServerSample, startServerProbe, withOwnCpu } from './server-probe.ts';

test.runIf(CAN_PROBE_PROCESSES)(
  'a server’s child processes count, the probe does not',
  async () => {
    const samples: ServerSample[] = [];
    const work = 'while (process.cpuUsage().user + process.cpuUsage().system < 600_000); setInterval(() => {}, 1e6)';
    const before = process.cpuUsage();
    const child = spawn(process.execPath, ['-e', work]);
    const stop = startServerProbe((sample) => samples.push(sample));
    try {
      await vi.waitFor(() => expect(samples.length).toBeGreaterThanOrEqual(3), { timeout: 15_000 });
      const { user, system } = process.cpuUsage();
      const ownMs = (user + system) / 1000;
      const last = samples.at(-1)!;
      expect(last.cpuMs! - ownMs).toBeGreaterThan(400);
      // The probe itself takes some 100 ms to start.
      expect(last.cpuMs! - ownMs).toBeLessThan(700 + (user + system - before.user - before.system) / 1000);
      expect(samples.some(({ memoryBytes }) => memoryBytes! > 2 ** 20)).toBe(true);
    } finally {
      stop();
      child.kill('SIGKILL');
    }
  },
  20_000,
);

test.runIf(CAN_PROBE_PROCESSES)('CPU time has finer steps than 10 ms, and keeps what ended', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
  await once(child, 'spawn');
  const cpu = createTreeCpu(child.pid!, -1);
  await vi.waitFor(() => expect(cpu.readMs()).toBeGreaterThan(10));
  const readings = [cpu.readMs()];
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(readings[0]! % 10).not.toBe(0);
  // No process has ever begun without waiting for its core.
  expect(cpu.waitedMs()).toBeGreaterThan(0);
  for (let i = 0; i < 6; i++) readings.push(cpu.readMs());
  expect(readings.at(-1)).toBeGreaterThanOrEqual(readings[0]!);
  expect(cpu.pids()).toEqual([]);
});

test('what the server’s own process used is as fine as it knows itself, its children’s beside it', () => {
  const read = { atMs: 1000, waitedMs: 7, memoryBytes: null, withheld: null };
  // Outside, two steps of 10 ms are seen, and 30 ms of children.
  const sample = withOwnCpu({ ...read, cpuMs: 50, rootCpuMs: 20 }, 1003, 27.25);
  expect(sample).toEqual({ ...read, atMs: 1003, cpuMs: 57.25, gateCpuMs: null });
});

test.runIf(CAN_PROBE_PROCESSES)(
  'of a server that is another process, only that and what it starts counts',
  async () => {
    const samples: ServerSample[] = [];
    const work = 'while (process.cpuUsage().user + process.cpuUsage().system < 300_000); setInterval(() => {}, 1e6)';
    const parent = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(work)}], {stdio: 'inherit'})`;
    const server = spawn(process.execPath, ['-e', `${parent}; setInterval(() => {}, 1e6)`], { detached: true });
    await once(server, 'spawn');
    const stop = startServerProbe((sample) => samples.push(sample), server.pid);
    try {
      await vi.waitFor(() => expect(samples.at(-1)?.cpuMs ?? 0).toBeGreaterThan(280), { timeout: 15_000 });
      const { user, system } = process.cpuUsage();
      const { cpuMs, gateCpuMs } = samples.at(-1)!;
      // This process, and what it has used in its life, is no part of it.
      expect(cpuMs).toBeLessThan(900);
      expect(gateCpuMs).toBeGreaterThan(0);
      expect(gateCpuMs).toBeLessThanOrEqual((user + system) / 1000);
      expect(samples.some(({ memoryBytes }) => memoryBytes! > 2 ** 20)).toBe(true);
    } finally {
      stop();
      process.kill(-server.pid!, 'SIGKILL');
    }
  },
  20_000,
);

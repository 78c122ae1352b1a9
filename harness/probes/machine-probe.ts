/** Samples the whole machine, as a cross-check, and this process, the coordinator. */
import { cpus, freemem, totalmem } from 'node:os';
import { nowMs } from '../../infra/clock.ts';
import { cpuTimes } from '../../infra/machine/cpu-times.ts';
import { withheldTime } from '../../infra/machine/withheld.ts';
import type { RecordLine } from '../../results/formats/records.ts';

const SAMPLE_PERIOD_MS = 1000;

/** @returns stops the sampling */
export function startMachineProbe(record: (line: RecordLine) => void): () => void {
  const sample = () => {
    const atMs = nowMs();
    const { cores, busyMs } = cpuTimes() ?? nodesCpuTimes();
    const cpu = process.cpuUsage();
    const of = { type: 'resources', atMs, host: 'coordinator', users: 0 } as const;
    record({ ...of, of: 'machine', cores, cpuMs: busyMs, memoryBytes: totalmem() - freemem() });
    record({
      ...of,
      of: 'coordinator',
      cores: null,
      cpuMs: (cpu.user + cpu.system) / 1000,
      memoryBytes: process.memoryUsage.rss(),
    });
    record({ type: 'withheld', atMs, ...withheldTime() });
  };
  const timer = setInterval(sample, SAMPLE_PERIOD_MS);
  return () => clearInterval(timer);
}

/** If there is no /proc/stat. Node's own figures on Linux lack the kernel's work after a send. */
function nodesCpuTimes(): { cores: number; busyMs: number } {
  const cores = cpus();
  const busyMs = cores.reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  return { cores: cores.length, busyMs };
}

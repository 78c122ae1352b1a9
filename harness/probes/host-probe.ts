/** Samples the costs of one host process: of its editors' processes, and of the driver, which is this process. */

import { cpus, freemem, totalmem } from 'node:os';
import { nowMs } from '../../infra/clock.ts';
import { cpuTimes, withheldTime } from '../../infra/machine/cpu-times.ts';
import type { RecordLine } from '../../results/formats/records.ts';
import { CAN_PROBE_PROCESSES, memoryBytesOf, processMemoryBytes, TreeCpu } from './process-tree.ts';
import { ownCpuMs, watchLoopDelay } from './this-process.ts';

/** CPU counters are cumulative, so a wide step costs resolution at the window's edges only. */
const CPU_PERIOD_MS = 2000;
/**
 * Memory is read so long before and after the given instant, too, since it varies by a tenth between collections. The figure is
 * the mean of the straight lines between the readings, as far as they lie in the measured window.
 */
const MEMORY_STEP_MS = 15_000;

/**
 * @param options.editorsPid the process in which the editors run, with its descendants: a Chrome. If it is this one,
 *   nothing tells the driver's cost from theirs, so all is the editors', and the driver has no line; how late its event
 *   loop is has one, for that is what its users wait for each other
 * @param options.memoryAtMs around when memory is read, three times: the kernel walks every page for it, and that is CPU of this
 *   process, some 40 ms of it for 8 users in Chrome
 * @param options.recordOffsetMs this process's clock + it = the record's
 * @returns stops the sampling
 */
export function startHostProbe(options: {
  editorsPid: number;
  host: string;
  users: number;
  memoryAtMs: number;
  recordOffsetMs: number;
  record: (...lines: RecordLine[]) => void;
}): () => void {
  const { editorsPid, host, users, memoryAtMs, recordOffsetMs, record } = options;
  const editors = new TreeCpu([editorsPid], () => [], { byThread: false });
  let memoryDueMs = [-MEMORY_STEP_MS, 0, MEMORY_STEP_MS].map((stepMs) => memoryAtMs + stepMs);
  const takeLoopDelays = editorsPid === process.pid ? watchLoopDelay() : null;

  const sample = async () => {
    const cpuMs = editors.readMs() ?? 0;
    const atMs = nowMs();
    const readMemory = memoryDueMs.some((dueMs) => dueMs <= atMs);
    memoryDueMs = memoryDueMs.filter((dueMs) => dueMs > atMs);
    const of = { type: 'resources', atMs: atMs + recordOffsetMs, host, users, cores: null } as const;
    if (takeLoopDelays !== null) {
      record({ type: 'loop-delay', atMs: atMs + recordOffsetMs, delays: takeLoopDelays() });
    } else {
      record({
        ...of,
        of: 'driver',
        cpuMs: ownCpuMs(),
        memoryBytes: readMemory ? await processMemoryBytes(process.pid) : null,
      });
    }
    record({ type: 'withheld', atMs: atMs + recordOffsetMs, ...withheldTime() });
    if (CAN_PROBE_PROCESSES) {
      record({ ...of, of: 'chrome', cpuMs, memoryBytes: readMemory ? await memoryBytesOf(editors.pids) : null });
    }
  };

  const timer = setInterval(sample, CPU_PERIOD_MS);
  return () => clearInterval(timer);
}

const SAMPLE_PERIOD_MS = 1000;

/** @returns stops the sampling */
export function startMachineProbe(record: (line: RecordLine) => void): () => void {
  const sample = () => {
    const atMs = nowMs();
    const { cores, busyMs } = cpuTimes() ?? nodesCpuTimes();
    const of = { type: 'resources', atMs, host: 'coordinator', users: 0 } as const;
    record({ ...of, of: 'machine', cores, cpuMs: busyMs, memoryBytes: totalmem() - freemem() });
    record({
      ...of,
      of: 'coordinator',
      cores: null,
      cpuMs: ownCpuMs(),
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

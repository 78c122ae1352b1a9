/** The helper of `server-probe.ts`: reads the costs of the process named in its arguments, and ends with its parent. */

import { nowMs } from '../../infra/clock.ts';
import { withheldTime } from '../../infra/machine/withheld.ts';
import { createTreeCpu, memoryBytesOf } from './process-tree.ts';
import type { HelperSample } from './server-probe.ts';

const PERIOD_MS = 1000;
/** The kernel holds up a process while it sums up that process's memory, so this is read seldom. */
const MEMORY_PERIOD_SAMPLES = 5;

const cpu = createTreeCpu(Number(process.argv[2]), process.pid);
let samples = 0;

process.once('disconnect', () => process.exit());
setInterval(async () => {
  const cpuMs = cpu.readMs();
  const rootCpuMs = cpu.rootMs();
  const waitedMs = cpu.waitedMs();
  const atMs = nowMs();
  const readsMemory = samples++ % MEMORY_PERIOD_SAMPLES === 0;
  const withheld = withheldTime();
  const memoryBytes = readsMemory ? await memoryBytesOf(cpu.pids()) : null;
  const sample: HelperSample = { atMs, cpuMs, rootCpuMs, waitedMs, memoryBytes, withheld };
  if (process.connected) process.send!(sample);
}, PERIOD_MS);

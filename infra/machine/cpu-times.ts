/** Time of all cores of this machine together since its start, as the kernel counts it. Linux only. */
import { readFileSync } from 'node:fs';

export interface CpuTimes {
  cores: number;
  /** All work, also time that is counted for no process: interrupts, and passing bytes on after a send (`softirq`). */
  busyMs: number;
  /** Waiting for disks is idle too. */
  idleMs: number;
  /** Wanted, but the hypervisor gave it to other machines; null if the kernel does not tell. */
  stealMs: number | null;
}

/** Of the kernel's clock: 100 a second on every Linux that Node runs on. */
const TICK_MS = 10;

/**
 * @param root where `proc` is, for tests
 * @returns null if the system does not tell
 * @see proc(5): user, nice, system, idle, iowait, irq, softirq, steal; guest times are part of user and nice
 */
export function cpuTimes(root = ''): CpuTimes | null {
  const [all = '', ...lines] = readStat(root)?.split('\n') ?? [];
  const [user, nice, system, idle, ioWait, irq = 0, softIrq = 0, steal = null] = all
    .split(/\s+/)
    .slice(1, 9)
    .map((ticks) => Number(ticks) * TICK_MS);
  if (user === undefined || nice === undefined || system === undefined || idle === undefined) return null;
  return {
    cores: Math.max(1, lines.filter((line) => /^cpu\d/.test(line)).length),
    busyMs: user + nice + system + irq + softIrq,
    idleMs: idle + (ioWait ?? 0),
    stealMs: steal,
  };
}

function readStat(root: string): string | null {
  try {
    return readFileSync(`${root}/proc/stat`, 'utf8');
  } catch {
    return null;
  }
}

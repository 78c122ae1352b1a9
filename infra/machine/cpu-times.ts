/** Time of all cores of this machine together since its start, as the kernel counts it. Linux only. */
import { dirname } from 'node:path';
import { readKernelFile } from '../kernel-file.ts';

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
  const [all = '', ...lines] = readKernelFile(`${root}/proc/stat`)?.split('\n') ?? [];
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

export interface WithheldTime {
  /** Time that the hypervisor gave to other machines since the start, all cores together; null: not known. */
  stealMs: number | null;
  cores: number;
  /** How long this process's control group, or one around it, had used up its share, all cores together; null: no group has a limit. */
  throttledMs: number | null;
}

/** Folders of the control groups that tell of CPU, those of version 2 last. */
const MOUNTS = ['/cpu', '/cpu,cpuacct', ''];

/** @param root where `proc` and `sys` are, for tests */
export function withheldTime(root = ''): WithheldTime {
  const { cores = 1, stealMs = null } = cpuTimes(root) ?? {};
  return { cores, stealMs, throttledMs: throttledMs(root) };
}

/**
 * Any group around the process may be the one that is held up, and each tells of itself alone. A sum: the greatest of their
 * totals could be an old one, behind which a group that is held up now would not show.
 */
function throttledMs(root: string): number | null {
  // "4:cpu,cpuacct:/path" in version 1; "0::/path" in version 2, where one group has all controllers.
  const groups = readKernelFile(`${root}/proc/self/cgroup`) ?? '';
  const [, path] = /^\d+:(?:.*,)?cpu(?:,.*)?:(.*)$/m.exec(groups) ?? /^0::(.*)$/m.exec(groups) ?? [];
  if (path === undefined) return null;
  for (const mount of MOUNTS) {
    const told = withParents(path).flatMap((folder) => {
      const stat = readKernelFile(`${root}/sys/fs/cgroup${mount}${folder}/cpu.stat`);
      // Microseconds in version 2, nanoseconds in version 1.
      const [, unit, time] = stat?.match(/^throttled_(usec|time) (\d+)$/m) ?? [];
      return time === undefined ? [] : [Number(time) / (unit === 'usec' ? 1e3 : 1e6)];
    });
    if (told.length > 0) return told.reduce((sum, ms) => sum + ms);
  }
  return null;
}

/** A container may not see the folders that its host names, but the outermost. */
function withParents(path: string): string[] {
  return path === '/' ? [''] : [path, ...withParents(dirname(path))];
}

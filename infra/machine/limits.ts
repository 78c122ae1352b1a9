/** Limits of a container, as seen from inside. */
import { readFileSync } from 'node:fs';
import type { Resources } from '../fleet.ts';

const MIB = 2 ** 20;

/** The limits of this process's container; null if there is none, or no control group tells. */
export function containerLimits(root = '/sys/fs/cgroup'): Resources {
  const read = (path: string) => {
    try {
      return readFileSync(`${root}/${path}`, 'utf8').trim();
    } catch {
      // Of version 1 and 2 of control groups, one is there, or on other systems none.
      return null;
    }
  };
  const version1 = `${read('cpu/cpu.cfs_quota_us') ?? 'max'} ${read('cpu/cpu.cfs_period_us') ?? ''}`;
  const [quota, period] = (read('cpu.max') ?? version1).split(' ').map(Number);
  // "max" in version 2, -1 in version 1.
  const cpus = quota! > 0 && period! > 0 ? quota! / period! : null;
  // Version 1 says "no limit" by a number near 2⁶³.
  const bytes = Number(read('memory.max') ?? read('memory/memory.limit_in_bytes') ?? Number.NaN);
  return { cpus, memoryMiB: bytes > 0 && bytes < 2 ** 60 ? bytes / MIB : null };
}

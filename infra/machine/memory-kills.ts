/** Processes that the kernel ended because memory ran out, here or in a container of this machine. */
import { readFileSync } from 'node:fs';

/** How many there were since the machine started; null if the kernel does not tell. */
export function countMemoryKills(vmstat = '/proc/vmstat'): number | null {
  try {
    const [, count] = /^oom_kill (\d+)$/m.exec(readFileSync(vmstat, 'utf8')) ?? [];
    return count === undefined ? null : Number(count);
  } catch {
    return null;
  }
}

/**
 * @param since the count of `countMemoryKills` when a process began that is gone now
 * @returns     the possible reason, to follow a message; empty if the kernel ended no process
 */
export function memoryKillSince(since: number | null, vmstat?: string): string {
  const count = countMemoryKills(vmstat);
  return since !== null && count !== null && count > since
    ? ' (the kernel ended a process because memory ran out; take fewer users, or give them more memory)'
    : '';
}

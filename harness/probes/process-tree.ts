/** CPU and memory of a process and all its descendants, from Linux's /proc; elsewhere nothing is measured. */
import { readFile } from 'node:fs/promises';
import { allProcessStats, readProcessStat } from '../../infra/process/stat.ts';

export const CAN_PROBE_PROCESSES: boolean = process.platform === 'linux';

/** @returns the pids of `root` and its descendants; empty where the process is gone or cannot be probed */
export function processTree(root: number): number[] {
  if (!CAN_PROBE_PROCESSES) return [];
  const alive = allProcessStats();
  const tree = new Set(alive.filter(({ pid }) => pid === root).map(({ pid }) => pid));
  // Children have been listed before their parents where pids wrapped around, so repeat until nothing is added.
  for (let size = -1; size !== tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of alive) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree];
}

/** @returns user and system time since the process began, in ms with 10 ms steps; null where it is gone */
export function processCpuMs(pid: number): number | null {
  return readProcessStat(pid)?.cpuMs ?? null;
}

/** @returns proportional set size in bytes: memory shared by n processes counts as 1/n; null where it cannot be read */
export async function processMemoryBytes(pid: number): Promise<number | null> {
  // The kernel takes milliseconds to sum this up, so it is not read in this thread's time.
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => null);
  const kibibytes = rollup?.match(/^Pss:\s+(\d+) kB$/m)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

/**
 * @param read for tests: how one process is read
 * @returns bytes of all these processes together, as `processMemoryBytes` counts them; null where one that is there
 *          cannot be read. One that ended meanwhile holds nothing.
 */
export async function memoryBytesOf(
  pids: readonly number[],
  read: (pid: number) => Promise<number | null> = processMemoryBytes,
): Promise<number | null> {
  let sum = 0;
  // One at a time: the driver has keys to type in between.
  for (const pid of pids) {
    const bytes = await read(pid);
    if (bytes === null && holdsMemory(pid)) return null;
    sum += bytes ?? 0;
  }
  return sum;
}

function holdsMemory(pid: number): boolean {
  const stat = readProcessStat(pid);
  return stat !== null && !stat.ended;
}

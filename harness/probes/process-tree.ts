/** CPU and memory of a process and all its descendants, from Linux's /proc; elsewhere nothing is measured. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { allProcessStats, readProcessStat } from '../../infra/process/stat.ts';

export const CAN_PROBE_PROCESSES: boolean = process.platform === 'linux';

/** @returns the pids of `root` and its descendants; empty if the process is gone or cannot be probed */
export function processTree(root: number): number[] {
  if (!CAN_PROBE_PROCESSES) return [];
  const alive = allProcessStats();
  const tree = new Set(alive.filter(({ pid }) => pid === root).map(({ pid }) => pid));
  // Children have been listed before their parents if pids wrapped around, so repeat until nothing is added.
  for (let size = -1; size !== tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of alive) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree];
}

/** @returns user and system time since the process began, in ms with 10 ms steps; null if it is gone */
export function processCpuMs(pid: number): number | null {
  return readProcessStat(pid)?.cpuMs ?? null;
}

/** @returns proportional set size in bytes: memory shared by n processes counts as 1/n; null if it cannot be read */
export async function processMemoryBytes(pid: number): Promise<number | null> {
  // The kernel takes milliseconds to sum this up, so it is not read in this thread's time.
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => null);
  const kibibytes = rollup?.match(/^Pss:\s+(\d+) kB$/m)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

/**
 * @param read for tests: how one process is read
 * @returns bytes of all these processes together, as `processMemoryBytes` counts them; null if one that is there
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

/** Which processes there are is found out with every so manieth reading: it takes reading all of the machine's. */
const TREE_PERIOD_READINGS = 5;

export interface TreeCpu {
  /** Since each began, in ms; what ended counts with what it was last seen to have used. */
  readMs(): number;
  /** The root's part of the last reading. */
  rootMs(): number;
  /** How long all threads together were ready until the last reading, while others had the cores; null if the kernel does not tell. */
  waitedMs(): number | null;
  /** Those that were there when last looked for. */
  pids(): readonly number[];
}

/** @param except a process that is not counted, nor its descendants: the reader */
export function createTreeCpu(root: number, except: number): TreeCpu {
  const msOf = new Map<number, number>();
  const threadsOf = new Map<number, Map<string, ThreadTimes>>();
  let tree: number[] = [];
  let readings = 0;

  /**
   * The kernel tells nanoseconds by thread, and forgets threads that end; it tells all of a process's time in steps of
   * 10 ms. Neither is ever too much, so the greater is nearer.
   */
  const readProcess = (pid: number) => {
    const threads = threadsOf.get(pid) ?? new Map<string, ThreadTimes>();
    threadsOf.set(pid, threads);
    for (const [thread, times] of threadTimes(pid)) threads.set(thread, times);
    const byThreads = threads.values().reduce((sum, { cpuMs }) => sum + cpuMs, 0);
    msOf.set(pid, Math.max(msOf.get(pid) ?? 0, processCpuMs(pid) ?? 0, byThreads));
  };

  return {
    readMs() {
      if (readings++ % TREE_PERIOD_READINGS === 0) {
        const uncounted = new Set(processTree(except));
        tree = processTree(root).filter((pid) => !uncounted.has(pid));
      }
      for (const pid of tree) readProcess(pid);
      return msOf.values().reduce((sum, ms) => sum + ms, 0);
    },
    rootMs: () => msOf.get(root) ?? 0,
    waitedMs() {
      const threads = threadsOf.values().flatMap((ofProcess) => ofProcess.values());
      return threads.reduce<number | null>((sum, { waitedMs }) => (sum ?? 0) + waitedMs, null);
    },
    pids: () => tree,
  };
}

interface ThreadTimes {
  cpuMs: number;
  waitedMs: number;
}

/**
 * By thread; empty if the process is gone, or the kernel does not tell.
 *
 * @see sched-stats(5) of the kernel's documentation: ns on a core, ns ready and waiting for one, how often it got one
 */
function threadTimes(pid: number): [thread: string, times: ThreadTimes][] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread): [string, ThreadTimes][] => {
      const [cpuNs, waitedNs] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ').map(Number);
      if (!Number.isFinite(cpuNs) || !Number.isFinite(waitedNs)) return [];
      return [[thread, { cpuMs: cpuNs! / 1e6, waitedMs: waitedNs! / 1e6 }]];
    });
  } catch {
    return [];
  }
}

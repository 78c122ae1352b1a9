/** CPU and memory of a process and all its descendants, from Linux's /proc; elsewhere nothing is measured. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readKernelFile } from '../../infra/kernel-file.ts';
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

/**
 * Processes that have this text in the environment that they were started with. Children inherit it, also those that leave
 * their parent, session and group, unless whoever starts them takes it out.
 */
export function markedProcesses(mark: string): number[] {
  if (!CAN_PROBE_PROCESSES) return [];
  const pids = allProcessStats().map(({ pid }) => pid);
  return pids.filter((pid) => readKernelFile(`/proc/${pid}/environ`)?.includes(mark));
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
    if (bytes === null && readProcessStat(pid)?.ended === false) return null;
    sum += bytes ?? 0;
  }
  return sum;
}

/** The most that each of these processes ever had resident, bytes, together; null if the system does not tell. */
export function peakMemoryBytesOf(pids: readonly number[]): number | null {
  const peaks = pids.flatMap((pid) => {
    const kibibytes = readKernelFile(`/proc/${pid}/status`)?.match(/^VmHWM:\s+(\d+) kB$/m)?.[1];
    return kibibytes === undefined ? [] : [Number(kibibytes) * 1024];
  });
  return peaks.length === 0 ? null : peaks.reduce((sum, bytes) => sum + bytes);
}

/**
 * Which processes there are is found out with every so manieth reading, since that takes reading all of the machine's; and what
 * memory they hold, since the kernel holds up a process while it sums that up.
 */
const RARE_PERIOD_READINGS = 5;

/** CPU time and memory of processes and all that they start. */
export class TreeCpu {
  readonly #roots: number[];
  readonly #marked: () => number[];
  readonly #byThread: boolean;
  /** Processes that ended count with their last reading. */
  readonly #msOf = new Map<number, number>();
  readonly #threadsOf = new Map<number, Map<string, ThreadTimes>>();
  #tree: number[] = [];
  #readings = 0;
  #isNew = false;

  /**
   * @param marked           tells of further processes that count
   * @param options.byThread false: in steps of 10 ms, where reading hundreds of threads would cost more than that is worth
   */
  constructor(roots: number[] = [], marked: () => number[] = () => [], { byThread = true } = {}) {
    this.#roots = roots;
    this.#marked = marked;
    this.#byThread = byThread;
  }

  /** Those that were there when last looked for. */
  get pids(): readonly number[] {
    return this.#tree;
  }

  /** Counts another process, with all that it starts, from the next reading on. */
  add(root: number): void {
    this.#roots.push(root);
    this.#isNew = true;
  }

  /** Takes what a process itself says that it has used since it began, ms. */
  hear(pid: number, cpuMs: number): void {
    this.#msOf.set(pid, Math.max(this.#msOf.get(pid) ?? 0, cpuMs));
  }

  /** Since each began, ms; null if nothing is known, as without /proc. */
  readMs(): number | null {
    // Several servers are told together, so memory is read in one turn, whichever of them came back when.
    if (this.#readings++ % RARE_PERIOD_READINGS === 0 || this.#isNew) {
      this.#isNew = false;
      this.#tree = [...new Set([...this.#roots.flatMap((root) => processTree(root)), ...this.#marked()])];
    }
    for (const pid of this.#tree) this.#read(pid);
    return this.#msOf.size === 0 ? null : this.#msOf.values().reduce((sum, ms) => sum + ms, 0);
  }

  /** Of all, after each fifth reading, from the first on; else, and if it cannot be read, null. */
  async memoryBytes(): Promise<number | null> {
    const isDue = this.#readings % RARE_PERIOD_READINGS === 1;
    return isDue && this.#tree.length > 0 ? memoryBytesOf(this.#tree) : null;
  }

  /** How long all threads together were ready until the last reading, while others had the cores; null if the kernel does not tell. */
  waitedMs(): number | null {
    const threads = this.#threadsOf.values().flatMap((threadsOfOne) => threadsOfOne.values());
    return threads.reduce<number | null>((sum, { waitedMs }) => (sum ?? 0) + waitedMs, null);
  }

  /**
   * The kernel tells nanoseconds by thread, and forgets threads that end; it tells all of a process's time in steps of
   * 10 ms. Neither is ever too much, so the greater is nearer.
   */
  #read(pid: number): void {
    const threads = this.#threadsOf.get(pid) ?? new Map<string, ThreadTimes>();
    this.#threadsOf.set(pid, threads);
    if (this.#byThread) for (const [thread, times] of threadTimes(pid)) threads.set(thread, times);
    const byThreads = threads.values().reduce((sum, { cpuMs }) => sum + cpuMs, 0);
    this.hear(pid, Math.max(readProcessStat(pid)?.cpuMs ?? 0, byThreads));
  }
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

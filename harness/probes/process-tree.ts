/** CPU and memory of a process and all its descendants, from Linux's /proc; elsewhere nothing is measured. */
import { readdir, readFile } from 'node:fs/promises';

/** Kernel clock ticks per second in /proc/<pid>/stat: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export const CAN_PROBE_PROCESSES: boolean = process.platform === 'linux';

interface ProcessStat {
  pid: number;
  parent: number;
  cpuMs: number;
}

/** @returns the pids of `root` and its descendants; empty where the process is gone or cannot be probed */
export async function processTree(root: number): Promise<number[]> {
  if (!CAN_PROBE_PROCESSES) return [];
  const entries = await readdir('/proc');
  const stats = await Promise.all(entries.filter((name) => /^\d+$/.test(name)).map((pid) => readStat(Number(pid))));
  const alive = stats.filter((stat) => stat !== null);
  const tree = new Set(alive.filter(({ pid }) => pid === root).map(({ pid }) => pid));
  // Children have been listed before their parents where pids wrapped around, so repeat until nothing is added.
  for (let size = -1; size !== tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of alive) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree];
}

/** @returns user and system time since the process began, in ms with 10 ms steps; null where it is gone */
export async function processCpuMs(pid: number): Promise<number | null> {
  return (await readStat(pid))?.cpuMs ?? null;
}

/** @returns proportional set size in bytes: memory shared by n processes counts as 1/n; null where it cannot be read */
export async function processMemoryBytes(pid: number): Promise<number | null> {
  const rollup = await readOrNull(`/proc/${pid}/smaps_rollup`);
  const kibibytes = rollup?.match(/^Pss:\s+(\d+) kB$/m)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

async function readStat(pid: number): Promise<ProcessStat | null> {
  const line = await readOrNull(`/proc/${pid}/stat`);
  if (line === null) return null;
  // The command's name, in brackets, may hold anything; what follows it is numbered from field 3.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [, parent] = fields;
  const [user, system] = [fields[11], fields[12]];
  return { pid, parent: Number(parent), cpuMs: ((Number(user) + Number(system)) * 1000) / TICKS_PER_SECOND };
}

/** Processes come and go while they are read. */
async function readOrNull(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}
